// A page that compares two sides: the flame graph has the mean of their shares as widths and the difference as
// colors.

const points = (x) => (x > 0 ? "+" : "") + x.toFixed(1);

// shares returns the share of a node on both sides, in percent.
function shares(node) {
  const [a, b] = D.flame.sides;
  return [a ? (100 * F.sideA[node]) / a : 0, b ? (100 * F.sideB[node]) / b : 0];
}

// weighSides sets the samples of all nodes, by side and as the mean of their shares.
function weighSides() {
  const n = F.total.length, [a, b] = D.flame.sides;
  F.sideA = new Float64Array(n);
  F.sideB = new Float64Array(n);
  F.own.fill(0);
  for (let i = 0; i < F.node.length; i++) {
    const isB = F.bin[i] === 1;
    (isB ? F.sideB : F.sideA)[F.node[i]] += F.count[i];
    F.own[F.node[i]] += F.count[i] / (isB ? b : a) / 2;
  }
  F.total.set(F.own);
  for (let i = n - 1; i > 0; i--) {
    for (const of of [F.total, F.sideA, F.sideB]) of[F.parent[i]] += of[i];
  }
}

// changeColor is red for a frame with a larger share on the other side, blue for a smaller one.
function changeColor(node) {
  const [a, b] = shares(node);
  const way = b - a, size = Math.min(1, Math.abs(way) / 10);
  if (Math.abs(way) < 0.05) return css("--idle");
  const dark = isDark();
  const lightness = dark ? 26 + 16 * size : 92 - 24 * size;
  return `hsl(${way > 0 ? 6 : 212} ${30 + 45 * size}% ${lightness}%)`;
}

function changeText(node) {
  const [a, b] = shares(node);
  return `${a.toFixed(2)} % in ${D.title}, ${b.toFixed(2)} % in ${D.against.title}: ${points(b - a)} points`;
}

// changes returns a table of shares on both sides.
function changes(name, caption, list, first) {
  const table = makeTable({
    name, caption, columns: [...first.map((f) => f[0]), "before %", "now %", "change"],
    numeric: [...first.map(() => false), true, true, true],
    format: [...first.map(() => undefined), (x) => x.toFixed(2), (x) => x.toFixed(2), (x) => points(x)],
    step: 12, mark: markChange(first.length + 2),
  });
  table.set(list.map((c) => [...first.map((f) => f[1](c)), c.a, c.b, c.b - c.a]));
  return table.element;
}

const markChange = (column) => (cell, row, i) => {
  if (i === column && row[i]) cell.classList.add(row[i] > 0 ? "more" : "less");
};

function startCompare() {
  const d = D.against;
  if (!d) return;
  for (const id of ["time", "tables", "events"]) $(id).hidden = true;
  const section = $("compare");
  section.hidden = false;
  const name = (c) => c.name || (c.module ? c.module + " (no symbols)" : "unknown code");
  section.append(el("h2", { id: "compare-title" }, "What changed most"),
    el("p", { class: "hint" }, `Now: ${d.title}. Before: ${D.title}. Shares are of the ${d.unit} of each side.`),
    changes("changes", "The largest changes of shares", d.changes, [["what", (c) => c.what], ["name", name], ["module or provider", (c) => c.module]]),
    el("h3", {}, "Figures"));
  const figures = makeTable({
    name: "figures", caption: "Figures of both sides", columns: ["figure", "before", "now", "change"], numeric: [false, true, true, true],
    mark: (cell, row, i) => { if (i === 3) cell.classList.add(row[4] > row[5] ? "less" : "more"); },
  });
  const ratio = (f) => (f.a === f.b ? "=" : !f.a || !f.b ? "" : f.b > f.a ? `× ${digits(f.b / f.a)}` : `- ${percent(f.a - f.b, f.a)}`);
  figures.set(d.figures.map((f) => [f.name, sized(f.unit, f.a), sized(f.unit, f.b), ratio(f), f.a, f.b]));
  section.append(figures.element, sqlBox(d.figures.filter((f) => f.sql).map((f) => `-- ${f.name}\n${f.sql};`).filter((t, i, all) => all.indexOf(t) === i).join("\n"), "the figures"));
  if (d.processes.length) section.append(el("h3", {}, "Processes"), changes("processes", `Share of the ${d.unit}`, d.processes, [["process", name]]));
  if (d.functions.length) {
    section.append(el("h3", {}, "Functions"), changes("functions of both sides", "Share of the samples, without what the function calls", d.functions, [["function", name], ["module", (c) => c.module]]));
  }
  section.append(el("h3", {}, "Over time, each on its own axis"));
  const ids = [...new Set([...D.lanes, ...d.lanes].map((l) => l.id))];
  for (const id of ids) {
    const of = [[D, D.lanes], [d, d.lanes]].map(([side, list]) => [side, list.find((l) => l.id === id)]);
    const pair = el("div", { class: "pair" });
    of.forEach(([side, data], i) => {
      const box = el("div", {}, el("p", { class: "hint" }, `${i ? "Now" : "Before"}: ${(data || {}).title || "none"}`));
      if (data) {
        const canvas = el("canvas", { role: "img" });
        const lane = { data, canvas, side };
        const texts = data.series.map((s) => `${s.name} ${sized(data.unit, s.total)}`);
        canvas.setAttribute("aria-label", `${data.title} over time. ${texts.join("; ")}`);
        canvas.onpointermove = (e) => tip(e, hint(lane, e.offsetX));
        canvas.onpointerleave = () => tip();
        const below = el("div", { class: "below" });
        data.series.forEach((s, k) => {
          const key = el("i", { class: "key" });
          key.style.background = `var(${colorOf(data, k)})`;
          below.append(el("span", {}, key, texts[k]));
        });
        box.append(canvas, below);
        pairs.push(lane);
      }
      pair.append(box);
    });
    section.append(pair);
  }
}

const pairs = []; // the lanes of both sides

const drawPairs = () => pairs.forEach(drawLane);

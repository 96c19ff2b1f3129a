// The flame graph, and the table of functions.

let F; // the tree: arrays by node, and arrays by cell
let boxes = []; // what is drawn: {node, last, x, width, row, frames}
let cursor = 0; // the box that the keyboard is at
let hitLabels = null; // by label: whether the search finds it; null without a search

const rowHeight = 19;
const mostRows = 40;

function startFlame() {
  if (!D.flame) return;
  const f = D.flame, n = f.nodes.length;
  F = {
    parent: Int32Array.from(f.parents), label: Int32Array.from(f.nodes), depth: new Uint16Array(n), top: new Int32Array(n),
    children: Array.from({ length: n }, () => []), total: new Float64Array(n), own: new Float64Array(n),
    node: new Int32Array(f.cells.length / 3), bin: new Int32Array(f.cells.length / 3), count: new Float64Array(f.cells.length / 3),
    color: new Map(),
  };
  for (let i = 1; i < n; i++) {
    const p = F.parent[i];
    F.depth[i] = F.depth[p] + 1;
    F.top[i] = p === 0 ? i : F.top[p];
    F.children[p].push(i);
  }
  for (let i = 0, node = 0; i < F.node.length; i++) {
    node += f.cells[3 * i];
    F.node[i] = node;
    F.bin[i] = f.cells[3 * i + 1];
    F.count[i] = f.cells[3 * i + 2];
  }
  $("flame").hidden = false;
  if (f.sides) $("flame-title").textContent = "What changed: red has a larger share now, blue a smaller one";
  else if (f.unit !== "samples") $("flame-title").textContent = "Where events with stacks come from";
  weigh(0, D.bins);
  const processes = [...F.children[0]].sort((a, b) => F.total[b] - F.total[a]);
  processes.forEach((p, i) => { if (i < 7) F.color.set(p, `--c${i}`); });
  $("process").append(el("option", { value: 0 }, "all processes"));
  for (const p of processes) $("process").append(el("option", { value: p }, short(nameOf(p), 60)));
  $("process").onchange = (e) => { state.process = state.focus = +e.target.value; cursor = 0; drawFlame(); };
  $("search").oninput = (e) => { state.query = e.target.value; search(); drawFlame(); };
  $("out").onclick = zoomOut;
  $("reset").onclick = () => { state.focus = state.process; cursor = 0; drawFlame(); };
  $("flame-sql").append(sqlBox(f.sql, "the flame graph"));
  const graph = $("graph");
  graph.onpointermove = (e) => tip(e, describe(boxAt(e)));
  graph.onpointerleave = () => tip();
  graph.onclick = (e) => zoomTo(boxAt(e));
  graph.onkeydown = flameKey;
  graph.onfocus = () => { drawFlame(); say(); };
  graph.onblur = () => drawFlame();
  addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) {
      e.preventDefault();
      $("search").focus();
    }
  });
}

// nameOf and moduleOf return the texts of a node.
const labelName = (label) => D.flame.names[D.flame.labels[2 * label]];
const labelModule = (label) => D.flame.modules[D.flame.labels[2 * label + 1]];
const nameOf = (node) => labelName(F.label[node]) || labelModule(F.label[node]) || "unknown code";
const moduleOf = (node) => (F.depth[node] < 2 ? "" : labelModule(F.label[node]));
const isNamed = (label) => labelName(label) !== "";

const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

// weigh sets the samples of all nodes in a range of bins.
function weigh(from, to) {
  if (D.flame.sides) return weighSides();
  F.own.fill(0);
  for (let i = 0; i < F.node.length; i++) if (F.bin[i] >= from && F.bin[i] < to) F.own[F.node[i]] += F.count[i];
  F.total.set(F.own);
  for (let i = F.total.length - 1; i > 0; i--) F.total[F.parent[i]] += F.total[i];
}

const root = () => state.focus || state.process || 0;

// weight returns a number of samples for people.
function weight(n) {
  const f = D.flame;
  const unit = f.unit === "samples" ? (n === 1 ? " sample" : " samples") : n === 1 ? " event" : " events";
  return grouped(n) + unit + (f.interval_ns ? ` (${duration(n * f.interval_ns)})` : "");
}

// search finds the labels that contain the text, in any case.
function search() {
  const text = state.query.trim().toLowerCase();
  hitLabels = null;
  if (!text) return;
  hitLabels = new Uint8Array(D.flame.labels.length / 2);
  for (let i = 0; i < hitLabels.length; i++) {
    hitLabels[i] = (labelName(i) + "\n" + labelModule(i)).toLowerCase().includes(text) ? 1 : 0;
  }
}

// found returns the samples below the root whose stacks have a found frame.
function found() {
  let sum = 0;
  const walk = [root()];
  while (walk.length) {
    const node = walk.pop();
    if (hitLabels[F.label[node]]) sum += F.total[node];
    else walk.push(...F.children[node]);
  }
  return sum;
}

// layOut sets the boxes. If the stacks are deep, frames with one callee and no samples of their own are one
// box with it.
function layOut(width) {
  boxes = [];
  const deepest = (fold) => {
    boxes = [];
    let rows = 0;
    const walk = [[root(), 0, width, 0]];
    while (walk.length) {
      let [node, x, w, row] = walk.pop();
      const first = node;
      let frames = 1, children = F.children[node].filter((c) => F.total[c] > 0);
      while (fold && row > 2 && children.length === 1 && F.own[node] === 0 && F.total[children[0]] === F.total[node]) {
        node = children[0];
        frames++;
        children = F.children[node].filter((c) => F.total[c] > 0);
      }
      if (row > mostRows) { rows = row; continue; }
      boxes.push({ node: first, last: node, x, width: w, row, frames });
      rows = Math.max(rows, row);
      children.sort((a, b) => F.total[b] - F.total[a] || a - b);
      const next = [];
      for (const c of children) {
        const cw = (w * F.total[c]) / F.total[node];
        if (cw >= 0.5) next.push([c, x, cw, row + 1]);
        x += cw;
      }
      walk.push(...next.reverse());
    }
    return rows;
  };
  if (deepest(false) > 24) deepest(true);
  return boxes.reduce((most, b) => Math.max(most, b.row), 0) + 1;
}

function hue(text) {
  let h = 0;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return h % 360;
}

const isKernel = (module) => /^(ntoskrnl|ntkrnl|ntkrpamp|hal\.|win32k|ntfs|fltmgr|tcpip|ndis|afd|storport|dxgkrnl)/i.test(module);

function fill(box, isHit) {
  const node = box.node, dark = isDark();
  if (isHit) return css("--hot");
  if (node === 0) return css("--idle");
  const faded = hitLabels ? 0.35 : 1;
  if (D.flame.sides) return changeColor(node);
  if (F.depth[node] === 1) {
    return hitLabels ? css("--idle") : F.color.has(node) ? css(F.color.get(node)) : css("--idle");
  }
  const module = labelModule(F.label[node]);
  if (isKernel(module)) return dark ? "hsl(210 10% 32%)" : "hsl(210 10% 82%)";
  const saturation = (isNamed(F.label[node]) ? 52 : 20) * faded;
  return `hsl(${hue(module || labelName(F.label[node]))} ${saturation}% ${dark ? 30 : 82}%)`;
}

function drawFlame() {
  if (!F) return;
  weigh(state.from, state.to);
  const graph = $("graph");
  const rows = layOut(graph.clientWidth || 1);
  const [g, width] = fit(graph, rows * rowHeight + 2);
  cursor = Math.min(cursor, boxes.length - 1);
  g.font = font;
  g.textBaseline = "middle";
  for (const box of boxes) {
    const isHit = hitLabels !== null && hitLabels[F.label[box.node]] === 1;
    g.fillStyle = fill(box, isHit);
    g.fillRect(box.x + 0.5, box.row * rowHeight + 0.5, Math.max(0.5, box.width - 1), rowHeight - 1.5);
    if (box.width > 24) {
      const isProcess = F.depth[box.node] === 1 && F.color.has(box.node) && !hitLabels && !D.flame.sides;
      g.fillStyle = isHit ? css("--hot-ink") : isProcess ? (isDark() ? "#000" : "#fff") : css("--ink");
      let text = nameOf(box.node) + (box.frames > 1 ? ` … ${nameOf(box.last)} (${box.frames} frames)` : "");
      text = cut(g, text, box.width - 9);
      g.fillText(text, box.x + 5, box.row * rowHeight + rowHeight / 2);
    }
  }
  const at = boxes[cursor];
  if (at && document.activeElement === graph) {
    g.strokeStyle = css("--ink");
    g.lineWidth = 2;
    g.strokeRect(at.x + 1, at.row * rowHeight + 1, Math.max(2, at.width - 2), rowHeight - 2);
  }
  if (width > 0 && F.total[root()] === 0) {
    g.fillStyle = css("--ink");
    g.fillText("nothing in this range", 8, rowHeight / 2);
  }
  $("hits").textContent = hitLabels ? percent(found(), F.total[root()]) + " found" : "";
  writePath();
  writeFunctions();
}

// cut shortens a text to a width.
function cut(g, text, width) {
  if (width < 8) return "";
  text = short(text, 200);
  const full = g.measureText(text).width;
  if (full <= width) return text;
  let k = Math.floor((text.length * width) / full);
  while (k > 1 && g.measureText(text.slice(0, k) + "…").width > width) k--;
  return k > 1 ? text.slice(0, k) + "…" : "";
}

// writePath writes the callers of the frame that is zoomed to.
function writePath() {
  const names = [];
  for (let i = root(); i > 0; i = F.parent[i]) names.unshift(short(nameOf(i), 60));
  const shown = names.length > 6 ? [...names.slice(0, 2), "…", ...names.slice(-3)] : names;
  $("path").textContent = names.length ? "Zoomed to: " + shown.join(" › ") : "";
  $("out").disabled = $("reset").disabled = state.focus === 0 || state.focus === state.process;
}

function boxAt(e) {
  const row = Math.floor(e.offsetY / rowHeight);
  return boxes.find((b) => b.row === row && e.offsetX >= b.x && e.offsetX < b.x + b.width);
}

function describe(box) {
  if (!box) return "";
  const node = box.node, lines = [nameOf(node)];
  if (moduleOf(node)) lines.push(moduleOf(node) + (isNamed(F.label[node]) ? "" : ": no symbols; give --symbols"));
  if (box.frames > 1) lines.push(`… ${nameOf(box.last)}, ${box.frames} frames`);
  if (D.flame.sides) return [...lines, changeText(node)].join("\n");
  lines.push(`${weight(F.total[node])}, ${percent(F.total[node], F.total[0])} of all; itself ${percent(F.own[box.last], F.total[0])}`);
  return lines.join("\n");
}

const say = () => { $("frame").textContent = describe(boxes[cursor]).replaceAll("\n", " · "); };

function zoomTo(box) {
  if (!box) return;
  if (box.node === root()) return zoomOut();
  state.focus = box.last;
  cursor = 0;
  drawFlame();
  say();
}

function zoomOut() {
  const at = root();
  state.focus = at > 0 && at !== state.process ? F.parent[at] : state.process;
  cursor = 0;
  drawFlame();
  say();
}

// flameKey moves the cursor: up to the caller, down to the largest callee, left and right in the row.
function flameKey(e) {
  const at = boxes[cursor];
  if (!at) return;
  const middle = at.x + at.width / 2;
  let to = -1;
  switch (e.key) {
    case "ArrowUp": to = boxes.findIndex((b) => b.row === at.row - 1 && b.x <= middle && middle <= b.x + b.width); break;
    case "ArrowDown": to = boxes.findIndex((b) => b.row === at.row + 1 && b.x >= at.x - 0.01 && b.x < at.x + at.width); break;
    case "ArrowRight": to = boxes.findIndex((b) => b.row === at.row && b.x > at.x + 0.01); break;
    case "ArrowLeft": to = boxes.findLastIndex((b) => b.row === at.row && b.x < at.x - 0.01); break;
    case "Home": to = 0; break;
    case "Enter": case " ": e.preventDefault(); zoomTo(at); return;
    case "Escape": case "Backspace": e.preventDefault(); zoomOut(); return;
    default: return;
  }
  e.preventDefault();
  if (to >= 0) cursor = to;
  drawFlame();
  say();
}

let functionTable;

// writeFunctions lists the functions of the selected range below the root: by their own samples, and with
// their callees, where a recursive function counts once.
function writeFunctions() {
  if (D.flame.sides) return; // the comparison has its own table
  const own = new Map(), total = new Map();
  const onPath = new Map();
  const walk = [[root(), false]];
  while (walk.length) {
    const [node, isEnd] = walk.pop();
    const label = F.label[node];
    if (isEnd) { onPath.set(label, onPath.get(label) - 1); continue; }
    if (F.total[node] === 0) continue;
    const above = onPath.get(label) || 0;
    if (F.depth[node] > 1) {
      if (F.own[node]) own.set(label, (own.get(label) || 0) + F.own[node]);
      if (!above) total.set(label, (total.get(label) || 0) + F.total[node]);
    }
    onPath.set(label, above + 1);
    walk.push([node, true]);
    for (const c of F.children[node]) walk.push([c, false]);
  }
  const all = F.total[root()] || 1;
  const rows = [...total].map(([label, t]) => {
    const o = own.get(label) || 0;
    return [labelName(label) || (labelModule(label) ? labelModule(label) + " (no symbols)" : "unknown code"), labelModule(label), o, (100 * o) / all, t, (100 * t) / all];
  });
  const unit = D.flame.unit;
  if (!functionTable) {
    functionTable = makeTable({
      name: "functions", caption: "Own: in the function itself. Total: with all that it calls.",
      columns: ["function", "module", `own ${unit}`, "own %", `total ${unit}`, "total %"],
      numeric: [false, false, true, true, true, true], share: 2, sort: 2, step: 15,
    });
    $("functions").append(el("h3", {}, "Functions"), functionTable.element);
  }
  functionTable.set(rows);
}

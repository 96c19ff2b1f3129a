// The lanes of the time axis, and the selection on it.

const lanes = []; // each: its data, canvas, colors, and the elements of the legend
let dragging = null; // the pixels of a drag

const levelColors = { critical: "--c6", error: "--c1", warning: "--c4" };
const generationColors = { "generation 0": "--c1", "generation 1": "--c6", "generation 2": "--c3", "no collection": "--rest" };

function colorOf(lane, i) {
  const name = lane.series[i].name;
  if (lane.id === "errors") return levelColors[name] || "--rest";
  if (lane.id === "gc") return generationColors[name] || "--rest";
  if (name === "others") return "--rest";
  const shift = { disk: 2, faults: 5, jit: 4, network: 0, requests: 2, packets: 3 }[lane.id] || 0;
  return "--c" + ((i + shift) % 7);
}

// sum returns the sum of values in a range of bins.
function sum(values, from, to) {
  let s = 0;
  for (let i = from; i < to; i++) s += values[i];
  return s;
}

// selected returns the value and the events of a series in the selected range.
function selected(series) {
  if (isWhole()) return [series.total, series.events];
  return [sum(series.values || series.counts, state.from, state.to), sum(series.counts, state.from, state.to)];
}

function makeLanes() {
  for (const data of D.lanes) {
    const canvas = el("canvas", { role: "img" });
    const name = el("span", { class: "name" }, data.title);
    if (data.note) name.append(el("small", {}, data.note));
    const below = el("div", { class: "below" });
    const numbers = data.series.map((s, i) => {
      const text = el("span", {});
      const key = el("i", { class: "key" });
      key.style.background = `var(${colorOf(data, i)})`;
      below.append(el("span", {}, key, s.name + " ", text));
      return text;
    });
    below.append(sqlBox(data.sql, data.title));
    $("lanes").append(el("div", { class: "lane", id: "lane-" + data.id }, name, canvas, below));
    const lane = { data, canvas, numbers };
    canvas.onpointerdown = (e) => {
      if (e.button !== 0) return;
      dragging = [e.offsetX, e.offsetX];
      canvas.setPointerCapture(e.pointerId);
    };
    canvas.onpointermove = (e) => {
      if (dragging) {
        dragging[1] = e.offsetX;
        drawLanes();
      } else tip(e, hint(lane, e.offsetX));
    };
    canvas.onpointerleave = () => tip();
    canvas.onpointercancel = () => { dragging = null; drawLanes(); };
    canvas.onpointerup = () => {
      if (!dragging) return;
      const [a, b] = dragging;
      dragging = null;
      if (Math.abs(a - b) < 4) select(0, D.bins);
      else select(binAt(Math.min(a, b), lane), binAt(Math.max(a, b), lane) + 1);
    };
    lanes.push(lane);
  }
}

// viewOf returns the data and the visible bins of a lane: of a page that compares, all bins of its side.
const viewOf = (lane) => (lane.side ? [lane.side, 0, lane.side.bins] : [D, state.left, state.right]);

// binAt returns the bin at a pixel of a lane.
function binAt(x, lane) {
  const [side, left, right] = viewOf(lane);
  const bin = Math.floor(left + (x / lane.canvas.clientWidth) * (right - left));
  return Math.max(0, Math.min(side.bins - 1, bin));
}

// select selects a range of bins.
function select(from, to) {
  state.from = Math.max(0, Math.min(from, D.bins - 1));
  state.to = Math.max(state.from + 1, Math.min(to, D.bins));
  update();
}

// hint describes a bin of a lane.
function hint(lane, x) {
  const bin = binAt(x, lane), [side] = viewOf(lane);
  const at = (b) => Math.min(b * side.bin_ns, side.span_ns);
  const lines = [`${duration(at(bin))} to ${duration(at(bin + 1))}`];
  for (const s of lane.data.series) {
    const value = (s.values || s.counts)[bin];
    if (value || s.counts[bin]) {
      const events = s.values && lane.data.unit !== "samples" ? `, ${grouped(s.counts[bin])} ×` : "";
      lines.push(`${s.name}: ${sized(lane.data.unit, value)}${events}`);
    }
  }
  return lines.join("\n");
}

// columns returns the values of a series by pixel: a pixel has its share of each bin that it covers, so that
// bins which do not divide the pixels show no comb.
function columns(values, count, left, right) {
  const out = new Float64Array(count);
  const width = (right - left) / count;
  for (let x = 0; x < count; x++) {
    const from = left + x * width, to = from + width;
    for (let bin = Math.floor(from); bin < to && bin < values.length; bin++) {
      const part = Math.min(to, bin + 1) - Math.max(from, bin);
      if (part > 0) out[x] += values[bin] * part;
    }
    out[x] /= width;
  }
  return out;
}

const heightOf = (lane) => (lane.id === "processor" ? 130 : lane.id === "providers" ? 60 : 34);

function drawLane(lane) {
  const [g, w, h] = fit(lane.canvas, heightOf(lane.data));
  const count = Math.max(1, Math.round(w));
  const isProcessor = lane.data.id === "processor" && lane.data.capacity > 0;
  const [, left, right] = viewOf(lane);
  const parts = lane.data.series.map((s) => columns(s.values || s.counts, count, left, right));
  const sums = new Float64Array(count);
  for (const p of parts) for (let x = 0; x < count; x++) sums[x] += p[x];
  const top = Math.max(...sums, 1e-12);
  let scale = top;
  if (isProcessor) {
    scale = Math.min(1, Math.max(0.05, Math.ceil((top / lane.data.capacity) * 20) / 20)) * lane.data.capacity;
    lane.full = scale / lane.data.capacity;
  }
  g.fillStyle = css("--idle");
  g.fillRect(0, 0, w, h);
  const level = (v) => (isProcessor ? Math.min(1, v / scale) : Math.sqrt(Math.min(1, v / scale)));
  const base = new Float64Array(count);
  for (let k = 0; k < parts.length; k++) {
    g.fillStyle = css(colorOf(lane.data, k));
    for (let x = 0; x < count; x++) {
      const v = parts[k][x];
      if (!v) continue;
      const y0 = level(base[x]) * h;
      base[x] += v;
      const y1 = Math.max(level(base[x]) * h, y0 + (y0 === 0 ? 2 : 0));
      g.fillRect((x * w) / count, h - y1, w / count + 0.02, y1 - y0);
    }
  }
  if (isProcessor) {
    g.font = font;
    g.textBaseline = "top";
    const text = `${Math.round(lane.full * 100)} %`;
    g.fillStyle = css("--card");
    g.fillRect(2, 2, g.measureText(text).width + 6, 16);
    g.fillStyle = css("--ink");
    g.fillText(text, 5, 4);
  }
  if (!lane.side) veil(g, w, h);
}

// veil shades what is not selected.
function veil(g, w, h) {
  let a = ((state.from - state.left) / (state.right - state.left)) * w;
  let b = ((state.to - state.left) / (state.right - state.left)) * w;
  if (dragging) [a, b] = [Math.min(...dragging), Math.max(...dragging)];
  else if (isWhole()) return;
  g.fillStyle = css("--veil");
  g.fillRect(0, 0, Math.max(0, a), h);
  g.fillRect(b, 0, Math.max(0, w - b), h);
  g.fillStyle = css("--accent");
  g.fillRect(a - 0.5, 0, 1, h);
  g.fillRect(b - 0.5, 0, 1, h);
}

function drawLanes() {
  for (const lane of lanes) drawLane(lane);
  drawTicks();
}

function drawTicks() {
  const [g, w, h] = fit($("ticks"), 18);
  const from = startOf(state.left), to = Math.max(startOf(state.right), from + 1);
  const most = Math.max(2, Math.floor(w / 90));
  let step = 1;
  for (let unit = 1; (to - from) / step > most; unit *= 10) {
    for (const k of [1, 2, 5]) {
      step = unit * k;
      if ((to - from) / step <= most) break;
    }
  }
  g.font = font;
  g.textBaseline = "top";
  g.fillStyle = css("--soft");
  for (let t = Math.ceil(from / step) * step; t < to; t += step) {
    const x = ((t - from) / (to - from)) * w;
    const text = t === 0 ? "0" : duration(t);
    g.fillRect(x, 0, 1, 4);
    if (x + g.measureText(text).width + 4 < w) g.fillText(text, x + 3, 4);
  }
}

// writeLanes writes the numbers of the selected range.
function writeLanes() {
  for (const lane of lanes) {
    const all = lane.data.series.reduce((s, x) => s + selected(x)[0], 0);
    const texts = lane.data.series.map((s, i) => {
      const [value, events] = selected(s);
      let text = sized(lane.data.unit, value);
      if (lane.data.unit === "samples") text = percent(value, all);
      else if (lane.data.unit === "ns" || lane.data.unit === "bytes") text += ` in ${grouped(events)}`;
      lane.numbers[i].textContent = text;
      return `${s.name}: ${text}`;
    });
    lane.canvas.setAttribute("aria-label", `${lane.data.title} over time. ${texts.join("; ")}`);
  }
  const range = isWhole() ? "" : `${duration(startOf(state.from))} to ${duration(startOf(state.to))}`;
  $("range").textContent = range;
  $("from").value = state.from;
  $("to").value = state.to;
  $("from").setAttribute("aria-valuetext", duration(startOf(state.from)));
  $("to").setAttribute("aria-valuetext", duration(startOf(state.to)));
  $("zoom-time").disabled = isWhole();
  $("whole").disabled = isWhole() && state.left === 0 && state.right === D.bins;
  if ($("slices").open) writeSlices();
}

// writeSlices writes the lanes as a table: the selected range in equal parts.
function writeSlices() {
  const parts = Math.min(20, state.to - state.from);
  const head = el("tr", {}, el("th", { scope: "col" }, "from"));
  for (const l of D.lanes) head.append(el("th", { scope: "col", class: "num" }, l.title));
  const body = el("tbody", {});
  for (let i = 0; i < parts; i++) {
    const from = state.from + Math.floor((i * (state.to - state.from)) / parts);
    const to = state.from + Math.floor(((i + 1) * (state.to - state.from)) / parts);
    const tr = el("tr", {}, el("th", { scope: "row" }, duration(startOf(from))));
    for (const l of D.lanes) {
      const value = l.series.reduce((s, x) => s + sum(x.values || x.counts, from, to), 0);
      tr.append(el("td", { class: "num" }, sized(l.unit, value)));
    }
    body.append(tr);
  }
  $("slices").querySelector(".scroll").replaceChildren(el("table", {}, el("thead", {}, head), body));
}

function startTime() {
  makeLanes();
  $("from").max = $("to").max = D.bins;
  $("from").oninput = (e) => select(Math.min(+e.target.value, state.to - 1), state.to);
  $("to").oninput = (e) => select(state.from, Math.max(+e.target.value, state.from + 1));
  $("zoom-time").onclick = () => { state.left = state.from; state.right = state.to; update(); };
  $("whole").onclick = () => { state.left = 0; state.right = D.bins; select(0, D.bins); };
  $("slices").ontoggle = () => { if ($("slices").open) writeSlices(); };
}

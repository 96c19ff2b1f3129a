// The data, and what all parts of the page share.

const $ = (id) => document.getElementById(id);

// el makes an element. Its children are elements, or texts: never markup.
function el(name, properties, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key.startsWith("on")) e[key] = value;
    else if (value !== undefined && value !== null) e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

// unpack returns the data of the page.
async function unpack() {
  const packed = Uint8Array.from(atob(JSON.parse($("data").textContent)), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

let D; // the data

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => document.documentElement.dataset.theme === "dark";

const number = new Intl.NumberFormat("en");
const grouped = (n) => number.format(n);

// digits returns a number with three significant digits.
const digits = (x) => x.toFixed(x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2);

// duration, bytes and percent return texts for people.
function duration(ns) {
  if (ns < 0) return "-" + duration(-ns);
  if (ns < 1e3) return Math.round(ns) + " ns";
  if (ns < 1e6) return digits(ns / 1e3) + " µs";
  if (ns < 1e9) return digits(ns / 1e6) + " ms";
  if (ns < 120e9) return digits(ns / 1e9) + " s";
  if (ns < 7200e9) return Math.floor(ns / 60e9) + " min " + Math.floor((ns % 60e9) / 1e9) + " s";
  return grouped(Math.floor(ns / 3600e9)) + " h " + Math.floor((ns % 3600e9) / 60e9) + " min";
}

function bytes(n) {
  if (n < 1024) return n + " B";
  if (n < 1048576) return digits(n / 1024) + " KiB";
  if (n < 1073741824) return digits(n / 1048576) + " MiB";
  return digits(n / 1073741824) + " GiB";
}

const percent = (part, all) => (all ? ((100 * part) / all).toFixed(1) : "0.0") + " %";

// sized returns the value of a lane for people.
function sized(unit, value) {
  switch (unit) {
    case "ns": return duration(value);
    case "bytes": return bytes(value);
    case "samples": return grouped(value) + (value === 1 ? " sample" : " samples");
  }
  return grouped(value);
}

// The state: the selected and the visible range, in bins; the process and the frame of the flame graph; the
// search.
const state = { from: 0, to: 0, left: 0, right: 0, process: 0, focus: 0, query: "" };

const isWhole = () => state.from === 0 && state.to === D.bins;
const startOf = (bin) => Math.min(bin * D.bin_ns, D.span_ns);

// rangeSQL returns the condition on the time of a statement, or "".
function rangeSQL(column) {
  if (isWhole()) return "";
  const start = BigInt(D.start_ns);
  return `${column} >= ${start + BigInt(startOf(state.from))} AND ${column} < ${start + BigInt(startOf(state.to))}`;
}

// sqlBox returns a button that shows a statement, and one that copies it.
function sqlBox(text, what) {
  const pre = el("pre", { tabindex: "0", hidden: "", role: "region", "aria-label": "SQL of " + what }, text);
  const copy = el("button", { type: "button", hidden: "", "aria-label": "Copy the SQL of " + what }, "Copy");
  const show = el("button", { type: "button", "aria-expanded": "false", "aria-label": "SQL of " + what }, "SQL");
  show.onclick = () => {
    pre.hidden = !pre.hidden;
    copy.hidden = pre.hidden;
    show.setAttribute("aria-expanded", String(!pre.hidden));
  };
  copy.onclick = async () => {
    copy.textContent = (await copyText(pre)) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { copy.textContent = "Copy"; }, 2000);
  };
  return el("div", { class: "sql" }, show, " ", copy, pre);
}

// copyText copies the text of an element. From a file, a browser may refuse: then the text is selected.
async function copyText(from) {
  try {
    await navigator.clipboard.writeText(from.textContent);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(from);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}

// tip shows a text beside the pointer; without an event it hides it.
function tip(event, text) {
  const t = $("tip");
  t.hidden = !event || !text;
  if (t.hidden) return;
  t.textContent = text;
  t.style.left = Math.max(4, Math.min(innerWidth - t.offsetWidth - 8, event.clientX + 14)) + "px";
  t.style.top = Math.max(4, Math.min(innerHeight - t.offsetHeight - 8, event.clientY + 14)) + "px";
}

// fit sets the height of a canvas and clears it. It returns the context and the size.
function fit(canvas, height) {
  const ratio = devicePixelRatio || 1;
  canvas.style.height = height + "px";
  const width = canvas.clientWidth;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const g = canvas.getContext("2d");
  g.scale(canvas.width / Math.max(1, width), ratio);
  return [g, width, height];
}

const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

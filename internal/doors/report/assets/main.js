// update draws all that depends on the selected range.
function update() {
  if (D.against) {
    drawPairs();
    drawFlame();
    return;
  }
  drawLanes();
  writeLanes();
  drawFlame();
  drawTables();
}

// The theme is the system's until the user chooses another one.
const themes = ["system", "light", "dark"];
let theme = 0;
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme() {
  const name = themes[theme];
  document.documentElement.dataset.theme = name === "system" ? (systemDark.matches ? "dark" : "light") : name;
  $("theme").textContent = "Theme: " + name;
}

function writeHead() {
  const title = D.against ? `${D.against.title} against ${D.title}` : D.title;
  document.title = title + " · etl2parquet";
  $("title").textContent = title;
  const traces = D.against ? [...D.against.traces, ...D.traces] : D.traces;
  for (const t of traces) {
    const facts = t.facts.join(" · ");
    $("facts").append(el("p", {}, traces.length > 1 ? `${t.name}: ${facts}` : facts));
  }
  for (const f of D.findings) {
    $("findings").append(el("li", { class: f.severity || "info" }, el("b", {}, f.text), f.detail ? el("span", {}, f.detail) : null, f.sql ? sqlBox(f.sql, f.text) : null));
  }
  const none = D.against ? "Nothing changed: no share of a process, function or event differs by a point, and no figure." : "Nothing: the trace has no events.";
  if (!D.findings.length) $("findings").append(el("li", { class: "info" }, none));
  for (const note of D.notes) $("noted").append(el("li", {}, note));
  $("notes").hidden = D.notes.length === 0;
  const since = D.since_ns ? `, ${(D.since_ns / 1e9).toFixed(3)} s after the start of the trace: add that for --from, --to and the column seconds` : "";
  $("made").textContent = `Made by ${D.program}. Times are since ${D.start} UTC${since}. The SQL runs with: etl2parquet query TRACE "SQL".`;
}

async function start() {
  setTheme();
  D = await unpack();
  state.to = state.right = D.bins;
  writeHead();
  if (!D.against) startTime();
  startFlame();
  startTables();
  startKinds();
  startCompare();
  $("theme").onclick = () => { theme = (theme + 1) % themes.length; setTheme(); update(); };
  systemDark.addEventListener("change", () => { setTheme(); update(); });
  addEventListener("resize", update);
  let printed = "";
  addEventListener("beforeprint", () => {
    printed = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    update();
  });
  addEventListener("afterprint", () => { document.documentElement.dataset.theme = printed; update(); });
  update();
  document.documentElement.dataset.ready = "true";
}

start().catch((e) => {
  $("title").textContent = "This page cannot be shown";
  $("facts").textContent = String(e);
  throw e;
});

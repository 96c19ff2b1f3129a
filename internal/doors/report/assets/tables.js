// Tables with a filter and a sort order.

// makeTable returns a table. options: name, caption, columns, numeric (by column), share (a column drawn as a
// bar in the first cell), sort (a column; largest first), step (rows shown at first), format (by column),
// total (rows of the statement, if the page has fewer), time (a column in ns since 1970 of the rows), ranged (returns
// the SQL for all rows of the selected range).
function makeTable(options) {
  const { columns, numeric } = options;
  let rows = [], shown = options.step || 25, order = options.sort ?? -1, isDown = true, text = "";
  const filter = el("input", { type: "search", placeholder: "filter", size: "14", "aria-label": "Filter " + options.name });
  const count = el("output", { "aria-live": "polite" });
  const more = el("button", { type: "button" }, "Show more");
  const head = el("tr", {});
  const body = el("tbody", {});
  const buttons = columns.map((name, i) => {
    const button = el("button", { type: "button" }, name);
    button.onclick = () => {
      isDown = order === i ? !isDown : numeric[i];
      order = i;
      draw();
    };
    const th = el("th", { scope: "col", class: numeric[i] ? "num" : "" }, button);
    head.append(th);
    return th;
  });
  const table = el("table", {}, el("caption", {}, options.caption || options.name), el("thead", {}, head), body);
  const rest = el("div", { hidden: "" }, el("p", { class: "hint" }, "The page carries only some rows of the trace. This SQL shows all of the range:"),
    sqlBox("", "the range in " + options.name));
  const element = el("div", {}, el("div", { class: "bar" }, filter, count), rest,
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table " + options.name }, table), more);
  filter.oninput = () => { text = filter.value.toLowerCase(); draw(); };
  more.onclick = () => { shown *= 4; draw(); };

  const cell = (value, i) => {
    if (value === null || value === undefined) return "";
    if (options.format && options.format[i]) return options.format[i](value);
    if (typeof value === "number") return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
    return String(value);
  };
  function compare(a, b) {
    const x = a[order], y = b[order];
    if (x === y) return 0;
    if (x === null || x === undefined) return 1;
    if (y === null || y === undefined) return -1;
    const way = typeof x === "number" && typeof y === "number" ? x - y : String(x) < String(y) ? -1 : 1;
    return isDown ? -way : way;
  }
  function draw() {
    let list = rows;
    if (options.time >= 0 && !isWhole()) {
      const from = startOf(state.from), to = startOf(state.to);
      list = list.filter((r) => r[options.time] !== null && r[options.time] >= from && r[options.time] < to);
    }
    if (text) list = list.filter((r) => r.some((v, i) => cell(v, i).toLowerCase().includes(text)));
    if (order >= 0) list = [...list].sort(compare);
    const most = options.share === undefined ? 0 : Math.max(1e-9, ...list.map((r) => Math.abs(r[options.share])));
    body.replaceChildren(...list.slice(0, shown).map((r) => {
      const tr = el("tr", {});
      r.forEach((v, i) => {
        if (i >= columns.length) return;
        const words = cell(v, i);
        const td = el("td", { class: numeric[i] ? "num" : words.length <= 40 ? "short" : "" }, words);
        if (i === 0 && most) {
          td.classList.add("bar-cell");
          td.style.setProperty("--share", (100 * Math.abs(r[options.share])) / most + "%");
        }
        if (options.mark) options.mark(td, r, i);
        tr.append(td);
      });
      return tr;
    }));
    buttons.forEach((th, i) => {
      if (i === order) th.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
      th.firstChild.textContent = columns[i] + (i === order ? (isDown ? " ▾" : " ▴") : "");
    });
    const isCut = options.total > rows.length;
    const all = isCut ? `, of ${grouped(options.total)} in the trace` : "";
    const part = list.length < rows.length ? ` of ${grouped(rows.length)}` : "";
    count.textContent = `${grouped(list.length)} ${list.length === 1 ? "row" : "rows"}${part}${part && isCut ? " that the page carries" : ""}${all}`;
    rest.hidden = !(isCut && options.ranged && options.time >= 0 && !isWhole());
    if (!rest.hidden) rest.querySelector("pre").textContent = options.ranged();
    more.hidden = list.length <= shown;
  }
  return { element, draw, set: (list) => { rows = list; draw(); } };
}

// formats show values by the kind of their column. A number that JavaScript cannot hold is a text.
const exact = (show) => (v) => (typeof v === "number" ? show(v) : String(v));
const formats = { time: exact(duration), ns: exact(duration), bytes: exact(bytes), id: String };

const openTables = []; // drawn again when the range changes

// rangeOf returns the SQL for all rows of a table in the selected range.
function rangeOf(t) {
  const condition = rangeSQL(`"${t.columns.find((c) => c.kind === "time").name}"`);
  return t.sql.replace("\nORDER BY", `\nWHERE ${condition}\nORDER BY`).replace(/\nLIMIT \d+$/, "");
}

// startTables makes the tables of the views, each when it is opened.
function startTables() {
  $("tables").hidden = D.tables.length === 0;
  D.tables.forEach((t, i) => {
    const cutText = t.total > t.rows.length ? `: the first ${grouped(t.rows.length)}` : "";
    const details = el("details", { id: "table-" + t.name },
      el("summary", {}, el("b", {}, t.name), ` · ${grouped(t.total)} ${t.total === 1 ? "row" : "rows"}${cutText}`));
    details.ontoggle = () => {
      if (!details.open || details.childElementCount > 1) return;
      const table = makeTable({
        name: t.name, caption: t.doc, columns: t.columns.map((c) => (c.name === "time_ns" ? "time" : c.name)), total: t.total,
        numeric: t.columns.map((c) => c.kind !== "text" && c.kind !== "id"),
        format: t.columns.map((c) => formats[c.kind]),
        time: t.columns.findIndex((c) => c.kind === "time"),
        ranged: () => rangeOf(t),
      });
      table.set(t.rows);
      openTables.push(table);
      details.append(table.element, sqlBox(t.sql, "the table " + t.name));
    };
    $("views").append(details);
    if (i === 0) details.open = true;
  });
}

// startKinds lists the kinds of event.
function startKinds() {
  const table = makeTable({
    name: "kinds of event", caption: "Kinds of event in the whole trace", columns: ["event", "provider", "events", "errors"],
    numeric: [false, false, true, true], share: 2, sort: 2, step: 12,
  });
  table.set(D.kinds.map((k) => [k.name, k.provider, k.events, k.errors]));
  $("kinds").append(table.element, sqlBox("SELECT provider_name, event_name, count(*) AS events\nFROM events\nGROUP BY provider_name, event_name ORDER BY events DESC", "the kinds of event"));
}

const drawTables = () => openTables.forEach((t) => t.draw());

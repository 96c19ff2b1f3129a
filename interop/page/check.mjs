// Opens pages of report in Chromium and prints what it found, as JSON: the errors, requests, findings of axe,
// and what a drag, a search, a zoom and the keyboard do. Arguments: Chromium, then the pages.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [chromium, ...pages] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 300000 });
const views = [["light", 1280], ["dark", 1280], ["light", 400], ["dark", 400]];
const out = [];
for (const path of pages) {
  const found = { errors: [], requests: [], axe: [], wide: [] };
  for (const [theme, width] of views) {
    const page = await browser.newPage();
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    page.on("pageerror", (e) => found.errors.push(e.message));
    page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") found.errors.push(m.text()); });
    page.on("dialog", (d) => { found.errors.push("dialog " + d.message()); d.dismiss(); });
    const url = pathToFileURL(path).href;
    page.on("request", (r) => { if (r.url() !== url && !/^(blob|data):/.test(r.url())) found.requests.push(r.url()); });
    await page.goto(url);
    await page.waitForFunction("document.documentElement.dataset.ready === 'true'", { timeout: 120000 });
    if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) found.wide.push(`${theme} ${width}`);
    if (theme === "light" && width === 1280) found.act = await act(page);
    // The policy of the page lets no other script in; the debugger's interface may.
    await page.evaluate(axe);
    const result = await page.evaluate(async () => (await axe.run()).violations.map((v) => [v.id, v.impact, v.nodes[0].html.slice(0, 200)]));
    for (const [id, impact, html] of result) if (impact === "serious" || impact === "critical") found.axe.push(`${theme} ${width}: ${id}: ${html}`);
    await page.close();
  }
  out.push(found);
}
await browser.close();
console.log(JSON.stringify(out));

// act drags over the first lane, searches, zooms, and uses the keyboard.
async function act(page) {
  const text = (id) => page.$eval("#" + id, (e) => e.textContent);
  const did = {};
  did.markup = await page.evaluate("document.querySelectorAll('main script, main img, main iframe, main a').length");
  await page.$$eval("#views details", (list) => list.forEach((e) => { e.open = true; }));
  const lane = await page.$("#lanes canvas");
  if (lane) {
    const numbers = () => page.$$eval("#lanes .below", (list) => list.map((e) => e.textContent).join("|"));
    const before = await numbers();
    await lane.scrollIntoView();
    const box = await lane.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.45, box.y + 10, { steps: 4 });
    await page.mouse.up();
    did.range = await text("range");
    did.cut = await page.$$eval("#views .bar output", (list) => list.map((e) => e.textContent).filter((t) => t.includes("that the page carries")));
    did.rest = await page.$$eval("#views .bar + div:not([hidden]) pre", (list) => list.map((e) => e.textContent));
    did.follows = before !== (await numbers());
    await page.click("#whole");
    did.back = before === (await numbers()) && (await text("range")) === "";
    await page.focus("#from");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    did.keys = (await text("range")) !== "";
    await page.click("#whole");
  }
  if (await page.$eval("#flame", (e) => !e.hidden)) {
    const graph = await page.$("#graph");
    await graph.scrollIntoView();
    const box = await graph.boundingBox();
    await page.mouse.click(box.x + 30, box.y + 19 + 8);
    did.zoomed = await text("path");
    await page.focus("#graph");
    await page.keyboard.press("Escape");
    did.out = (await text("path")) === "";
    await page.keyboard.press("ArrowDown");
    did.frame = await text("frame");
    await page.keyboard.press("/");
    did.searching = await page.evaluate("document.activeElement.id === 'search'");
    await page.keyboard.type(".dll");
    did.hits = await text("hits");
  }
  for (const sql of await page.$$(".sql")) {
    if (!(await sql.isVisible())) continue;
    const button = await sql.$("button");
    await button.scrollIntoView();
    await button.click();
    did.sql = await sql.$eval("pre", (e) => !e.hidden && /^(SELECT|FROM|--)/.test(e.textContent));
    break;
  }
  return did;
}

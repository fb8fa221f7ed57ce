// Learning curves: means, hover, zoom, settings in the address, files; 10^5 points; paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fits, open } from "./lib/board.mjs";

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const TWO = "#/curves?s=runs%2Fa&s=runs%2Fb";

export async function test({ browser, base, shots }) {
  const { page, close } = await open(browser, base, TWO, DESKTOP);
  await page.locator(".u-over").waitFor();
  const last = await page.textContent(".legend tbody tr td:nth-child(3)");
  assert.match(last, /^\d+\.\d\d%$/);
  // The values under the pointer.
  const box = await page.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.waitForFunction((last) => document.querySelector(".legend tbody tr td:nth-child(3)")?.textContent !== last, last);
  await measured(browser, base);
  // Zoom, and back.
  const ticks = () => page.evaluate(() => document.querySelector("canvas")?.toDataURL().length);
  const before = await ticks();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((before) => document.querySelector("canvas")?.toDataURL().length !== before, before);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByLabel("x", { exact: true }).selectOption("generations");
  await page.getByLabel("Log x").check();
  await page.getByLabel("Band").selectOption("iqr");
  await page.waitForFunction(() => /x=generations&band=iqr&log=1/.test(location.hash));
  await page.getByRole("heading", { name: "Comparison" }).waitFor();
  for (const [format, begins] of [["SVG", "<!--"], ["PDF", "%PDF"], ["CSV", "study,"]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: format }).click()]);
    assert.ok(readFileSync(await file.path(), "latin1").startsWith(begins), format);
  }
  await page.screenshot({ path: join(shots, "curves.png"), fullPage: true });
  // The address brings the same view.
  const hash = await page.evaluate(() => location.hash);
  const again = await open(browser, base, hash, { ...DESKTOP, colorScheme: "dark" });
  await again.page.locator(".u-over").waitFor();
  assert.ok(await again.page.getByLabel("Log x").isChecked());
  await again.page.screenshot({ path: join(shots, "curves-dark.png"), fullPage: true });
  await again.close();
  await page.pdf({ path: join(shots, "curves.pdf") });
  await close();
  const phone = await open(browser, base, TWO, PHONE);
  await phone.page.locator(".u-over").waitFor();
  await fits(phone.page);
  await phone.page.screenshot({ path: join(shots, "curves-phone.png"), fullPage: true });
  await pinched(phone.page);
  await phone.close();
  await many(browser, base);
}

/** Runs with points at different places: the pointer finds measured values only. */
async function measured(browser, base) {
  const { page, close } = await open(browser, base, "#/papers", DESKTOP);
  const run = (study, seed, games, shift) => ({ folder: `runs/${study}/${seed}`, seed, state: "finished", pace: 0.001 * seed, known: 0, games, generations: games.map((_, index) => index + 1), values: { utility: games.map((x) => x / 1e5 + shift) } });
  const results = [
    { name: "a", label: "a", folder: "runs/a", runs: [run("a", 1, [1000, 5000, 9000], 0), run("a", 2, [1000, 5000, 9000], 0.1)] },
    { name: "b", label: "b", folder: "runs/b", runs: [run("b", 1, [1700, 4100, 8800], 0.2)] },
  ];
  await page.route("**/api/curves", (route) => route.fulfill({ json: { probes: [{ name: "utility", title: "Utility", is_share: true }], results } }));
  await page.route("**/api/compare", (route) => route.fulfill({ json: { results: [] } }));
  await page.evaluate(() => { location.hash = "#/curves?s=runs%2Fa&s=runs%2Fb"; });
  await page.locator(".u-over").waitFor();
  const rows = () => page.locator(".legend tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ").trim()));
  const box = await page.locator(".u-over").boundingBox();
  const at = async (games) => page.mouse.move(box.x + (box.width * (games - 1000)) / 8000, box.y + box.height / 2);
  const known = { a: { "1k": "6.00%", "5k": "10.00%", "9k": "14.00%" }, b: { "1.7k": "21.70%", "4.1k": "24.10%", "8.8k": "28.80%" } };
  const seen = new Set();
  for (let games = 1000; games <= 9000; games += 250) {
    await at(games);
    await page.waitForTimeout(20);
    for (const row of await rows()) {
      const [name, x, mean] = row.split(" ");
      assert.equal(mean, known[name]?.[x], row);
      seen.add(`${name} ${x}`);
    }
  }
  assert.equal(seen.size, 6);
  await at(4100);
  assert.deepEqual(await rows(), ["a 5k 10.00% 0.00% to 73.53% 2", "b 4.1k 24.10%  1"]);
  // By seconds no two runs were measured at the same time: that is said.
  await page.getByLabel("x", { exact: true }).selectOption("seconds");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => /≈/.test(document.querySelector(".legend tbody tr")?.textContent ?? ""));
  assert.match((await rows())[0], /≈ .*2, 1 measured here$/);
  await close();
}

/** Two fingers zoom; one scrolls the page and reads values. */
async function pinched(page) {
  const chart = page.locator(".u-over");
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  const session = await page.context().newCDPSession(page);
  const [y, middle] = [box.y + box.height / 2, box.x + box.width / 2];
  const touch = (type, ...xs) => session.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y, id })) });
  const picture = () => page.evaluate(() => document.querySelector("canvas")?.toDataURL());
  const before = await picture();
  await touch("touchStart", middle - 30);
  await touch("touchStart", middle - 30, middle + 30);
  for (let apart = 30; apart <= 90; apart += 10) await touch("touchMove", middle - apart, middle + apart);
  await touch("touchEnd");
  await page.waitForFunction((before) => document.querySelector("canvas")?.toDataURL() !== before, before);
  const closer = await picture();
  await page.getByRole("button", { name: "Show all" }).tap();
  await page.waitForFunction((closer) => document.querySelector("canvas")?.toDataURL() !== closer, closer);
  assert.equal(await picture(), before, "all is shown again");
  await touch("touchStart", middle);
  await touch("touchMove", middle - 60);
  const value = await page.textContent(".legend tbody tr td:nth-child(2)");
  await touch("touchMove", middle - 120);
  await page.waitForFunction((value) => document.querySelector(".legend tbody tr td:nth-child(2)")?.textContent !== value, value);
  await touch("touchEnd");
}

/** A run of 10^5 probe points: drawn soon, and the page scrolls and zooms. */
async function many(browser, base) {
  const { page, close } = await open(browser, base, "#/curves?s=runs%2Fmany", DESKTOP);
  const began = Date.now();
  await page.locator(".u-over").waitFor({ timeout: 60_000 });
  const drawn = Date.now() - began;
  const frames = await page.evaluate(async () => {
    const times = [];
    let last = performance.now();
    for (let frame = 0; frame < 60; frame++) {
      window.scrollTo(0, (frame % 20) * 20);
      const now = await new Promise((done) => requestAnimationFrame(done));
      times.push(now - last);
      last = now;
    }
    return times.sort((a, b) => a - b);
  });
  console.log(`curves: 100,000 points drawn after ${drawn} ms; a frame takes ${frames[30].toFixed(1)} ms (median), ${frames[56].toFixed(1)} ms (95%)`);
  await close();
}

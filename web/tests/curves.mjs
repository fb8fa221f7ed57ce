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
  // Zoom, and back.
  const ticks = () => page.evaluate(() => document.querySelector("canvas")?.toDataURL().length);
  const before = await ticks();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((before) => document.querySelector("canvas")?.toDataURL().length !== before, before);
  await page.getByRole("button", { name: "Whole" }).click();
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
  await phone.close();
  await many(browser, base);
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

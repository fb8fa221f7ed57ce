// Papers: the list, how long it would take, and a report in its frame; the size of what is loaded.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fits, open } from "./lib/board.mjs";

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export async function test({ browser, base, shots }) {
  const { page, close } = await open(browser, base, "#/papers", DESKTOP);
  await page.locator(".papers .card").first().waitFor();
  assert.equal(await page.locator(".papers .card").count(), 5);
  await page.getByRole("button", { name: "How long?" }).first().click();
  await page.waitForFunction(() => /runs to train/.test(document.querySelector(".papers .card .note")?.textContent ?? ""), null, { timeout: 60_000 });
  await page.screenshot({ path: join(shots, "papers.png"), fullPage: true });
  await page.locator("main ul li", { hasText: "report.html" }).getByRole("link").click();
  const frame = page.frameLocator("iframe.page");
  await frame.locator("h1").waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "report.png") });
  await close();
  const phone = await open(browser, base, "#/papers", { ...PHONE, colorScheme: "dark" });
  await phone.page.locator(".papers .card").first().waitFor();
  await fits(phone.page);
  await phone.page.screenshot({ path: join(shots, "papers-phone-dark.png"), fullPage: true });
  await phone.close();
  await weigh(browser, base);
  await refused(browser, base);
}

/** What a first visit loads, and when something is seen. */
async function weigh(browser, base) {
  const { page, close } = await open(browser, base, "#/curves?s=runs%2Fa", DESKTOP);
  await page.locator(".u-over").waitFor();
  await page.reload();
  await page.locator(".u-over").waitFor();
  const context = await browser.newContext(DESKTOP);
  const fresh = await context.newPage();
  await fresh.goto(base);
  await fresh.locator("main h1").waitFor();
  const { bytes, paint } = await fresh.evaluate(() => {
    const files = performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"));
    const bytes = files.filter((file) => !file.name.includes("/api/")).reduce((sum, file) => sum + file.encodedBodySize, 0);
    return { bytes, paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 };
  });
  console.log(`papers: the first visit loads ${bytes} bytes; first paint after ${Math.round(paint)} ms`);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
  await context.close();
  await close();
}

/** Without the token the page says what to do. */
async function refused(browser, base) {
  const context = await browser.newContext(DESKTOP);
  const page = await context.newPage();
  await page.goto(base.replace(/#.*/, "#token=0123456789abcdefwrong"));
  await page.locator(".error").waitFor();
  assert.match(await page.textContent(".error"), /outflank serve/);
  await context.close();
}

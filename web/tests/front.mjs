// The front of a run with several objectives, if the folder that is served has one.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fits, open } from "./lib/board.mjs";

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export async function test({ browser, base, shots }) {
  const { page, close } = await open(browser, base, "#/front", DESKTOP);
  await page.waitForFunction(() => document.querySelector("main h1")?.textContent === "Fronts");
  const first = page.locator("main ul a").first();
  if (!(await first.count())) {
    await close();
    return;
  }
  await first.click();
  const points = page.locator(".scatter .point");
  await points.first().waitFor({ timeout: 30_000 });
  const count = await points.count();
  assert.equal(await page.locator("tbody tr").count(), Math.min(count, 500));
  // By keyboard.
  await points.first().focus();
  await page.keyboard.press("Enter");
  await page.locator('.scatter .point[aria-pressed="true"]').waitFor();
  await page.screenshot({ path: join(shots, "front.png"), fullPage: true });
  const hash = await page.evaluate(() => location.hash);
  await page.getByRole("link", { name: "Look inside" }).click();
  await page.locator(".heat.large, .picture").first().waitFor({ timeout: 30_000 });
  assert.match(await page.textContent("h1"), /#\d+$/);
  await page.getByRole("link", { name: "Play it" }).click();
  await page.locator(".cell.legal").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 2, null, { timeout: 30_000 });
  await close();
  const phone = await open(browser, base, hash, PHONE);
  await phone.page.locator('.scatter .point[aria-pressed="true"]').waitFor({ timeout: 30_000 });
  await fits(phone.page);
  await phone.page.screenshot({ path: join(shots, "front-phone.png"), fullPage: true });
  await phone.close();
}

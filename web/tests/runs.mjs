// A study started from the page, watched to its end, stopped and resumed; the list and its filter.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fits, open } from "./lib/board.mjs";

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export async function test({ browser, base, shots }) {
  const { page, close } = await open(browser, base, "#/runs", DESKTOP);
  await page.locator("table.studies tbody tr").first().waitFor();
  // A name with markup is text.
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.match(await page.textContent("table.studies"), /<img/);
  await page.getByRole("link", { name: "Start training" }).click();
  await page.locator(".keys details").first().waitFor();
  await page.getByLabel("Method").fill("rsel");
  await page.waitForFunction(() => /random/i.test(document.querySelector("main .note")?.textContent ?? ""));
  // A wrong value is said at once, where it is.
  await page.getByPlaceholder("Find a key").fill("mutation.size");
  const size = page.locator('[data-key="search.mutation.size"]');
  await size.fill("large");
  await page.locator(".error").waitFor();
  assert.match(await page.textContent(".error"), /search\.mutation\.size/);
  assert.ok(await page.getByRole("button", { name: "Start" }).isDisabled());
  await size.fill("0.2");
  await page.locator(".error").waitFor({ state: "detached" });
  await page.getByPlaceholder("Find a key").fill("");
  await page.locator("summary", { hasText: "probes" }).click();
  for (const [key, value] of [["every", "5000"], ["sample", "100"], ["games", "100"]]) {
    await page.locator(`[data-key="probes.${key}"]`).fill(value);
    await page.waitForTimeout(400);
  }
  await page.getByLabel("Seeds").fill("1..2");
  await page.getByLabel("Games a run").fill("40000");
  await page.getByLabel("Folder").fill("runs/from-page");
  await page.waitForFunction(() => /--out runs\/from-page/.test(document.querySelector(".command")?.textContent ?? ""));
  assert.match(await page.textContent(".command"), /^outflank learn rsel --set search.mutation.size=0.2 /);
  await page.screenshot({ path: join(shots, "start.png"), fullPage: true });
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".job").first().waitFor();
  await page.locator(".job .state-done").first().waitFor({ timeout: 120_000 });
  await page.getByRole("cell", { name: "2/2" }).first().waitFor();
  // The filter.
  await page.getByLabel("Filter").fill("from-page");
  await page.waitForFunction(() => document.querySelectorAll("table.studies tbody tr").length === 1);
  await page.getByLabel("Filter").fill("");
  await stopAndResume(page);
  for (const folder of ["runs/a", "runs/b"]) await page.locator(`input[data-study="${folder}"]`).check();
  await page.screenshot({ path: join(shots, "runs.png"), fullPage: true });
  await page.getByRole("link", { name: "Compare" }).click();
  await page.locator(".u-over").waitFor();
  await close(1);
  for (const scheme of ["light", "dark"]) {
    const phone = await open(browser, base, "#/runs", { ...PHONE, colorScheme: scheme });
    await phone.page.locator("table.studies tbody tr").first().waitFor();
    await fits(phone.page);
    await phone.page.screenshot({ path: join(shots, `runs-phone-${scheme}.png`), fullPage: true });
    await phone.page.evaluate(() => { location.hash = "#/runs/new?method=neat"; });
    await phone.page.locator(".keys details").first().waitFor();
    await fits(phone.page);
    await phone.page.screenshot({ path: join(shots, `start-phone-${scheme}.png`), fullPage: true });
    await phone.close();
  }
}

/** A long study is stopped, resumed and stopped again. */
async function stopAndResume(page) {
  await page.getByRole("link", { name: "Start training" }).click();
  await page.locator(".keys details").first().waitFor();
  await page.getByLabel("Method").fill("rsel");
  await page.getByLabel("Seeds").fill("7");
  await page.getByLabel("Games a run").fill("50000000");
  await page.getByLabel("Folder").fill("runs/long");
  await page.waitForFunction(() => /--out runs\/long/.test(document.querySelector(".command")?.textContent ?? ""));
  await page.getByRole("button", { name: "Start" }).click();
  const job = page.locator(".job").first();
  await job.getByRole("button", { name: "Stop" }).click();
  await job.locator(".state-stopped").waitFor({ timeout: 60_000 });
  await job.getByRole("button", { name: "Clear" }).click();
  const row = page.locator("tr", { hasText: "runs/long" });
  await row.getByRole("button", { name: "Resume" }).click();
  await page.locator(".job", { hasText: "runs/long" }).getByRole("button", { name: "Stop" }).click();
  await page.locator(".job", { hasText: "runs/long" }).locator(".state-stopped").waitFor({ timeout: 60_000 });
}

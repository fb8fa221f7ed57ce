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
  await robust(page);
  await page.getByPlaceholder("Find a key").fill("");
  await page.locator("summary", { hasText: "probes" }).click();
  for (const [key, value] of [["every", "5e3"], ["sample", "100"], ["games", "0.1k"]]) {
    await page.locator(`[data-key="probes.${key}"]`).fill(value);
    await page.waitForTimeout(400);
  }
  await page.getByLabel("Seeds").fill("1..2");
  await page.getByLabel("Games a run").fill("4e4");
  await page.getByLabel("Folder").fill("runs/from-page");
  await page.waitForFunction(() => /--out runs\/from-page/.test(document.querySelector(".command")?.textContent ?? ""));
  const words = await page.textContent(".command");
  assert.match(words, /^outflank learn rsel --set /);
  for (const part of ["--set search.mutation.size=0.2", "--set probes.every=5e3", "--seeds 1..2 --games 40000"]) assert.ok(words.includes(part), words);
  await page.screenshot({ path: join(shots, "start.png"), fullPage: true });
  await page.getByRole("button", { name: "Start", exact: true }).click();
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
  await close();
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

/** The form takes what people do to it: mistakes, another method, leaving and coming back. */
async function robust(page) {
  const field = (key) => page.locator(`[data-key="${key}"]`);
  const wrong = (key) => page.locator(`.key:has([data-key="${key}"]) .bad`);
  const start = page.getByRole("button", { name: "Start", exact: true });
  const method = async (name) => {
    await page.getByLabel("Method").fill(name);
    await page.waitForFunction((name) => document.querySelector(".command")?.textContent?.startsWith(`outflank learn ${name} `), name);
  };
  // A wrong value is said at once, beside its place; the caret stays.
  await page.getByPlaceholder("Find a key").fill("mutation.size");
  await field("search.mutation.size").fill("large");
  await wrong("search.mutation.size").waitFor();
  assert.equal(await wrong("search.mutation.size").textContent(), 'search.mutation.size = "large", expected a number');
  assert.equal(await field("search.mutation.size").getAttribute("aria-invalid"), "true");
  assert.ok(await start.isDisabled());
  await field("search.mutation.size").evaluate((input) => input.setSelectionRange(2, 2));
  await page.keyboard.type("0");
  await page.waitForTimeout(500);
  assert.equal(await field("search.mutation.size").inputValue(), "la0rge");
  assert.equal(await field("search.mutation.size").evaluate((input) => input.selectionStart), 3);
  // While it is wrong, another method brings its own keys, and the value that it does not know
  // is said to be unused; back at the first method it is there again, as it was typed.
  await page.getByPlaceholder("Find a key").fill("");
  await method("mopso");
  assert.equal(await field("search.kind").inputValue(), "mopso");
  assert.equal(await field("search.mutation.size").count(), 0);
  assert.match(await page.textContent(".lost"), /mopso has no such key: search\.mutation\.size = la0rge/);
  assert.ok(await start.isEnabled());
  await method("rsel");
  await wrong("search.mutation.size").waitFor();
  assert.equal(await page.locator(".lost").count(), 0);
  assert.equal(await field("search.mutation.size").inputValue(), "la0rge");
  // Options are read as on the command line; each mistake stands at its place.
  await page.getByLabel("Games a run").fill("lots");
  await page.getByLabel("Seeds").fill("5..1");
  await page.locator("#new-games-wrong:not([hidden])").waitFor();
  assert.match(await page.textContent("#new-games-wrong"), /games = lots, expected a whole number/);
  assert.match(await page.textContent("#new-seeds-wrong"), /seeds = 5\.\.1, expected/);
  await page.getByLabel("Games a run").fill("100k");
  // Left and come back: all that was typed is there.
  await page.waitForFunction(() => document.querySelector("#new-games-wrong")?.hidden);
  await page.getByRole("link", { name: "Back" }).click();
  await page.locator("table.studies").waitFor();
  await page.getByRole("link", { name: "Start training" }).click();
  await page.locator("#new-seeds-wrong:not([hidden])").waitFor();
  assert.equal(await page.getByLabel("Method").inputValue(), "rsel");
  assert.equal(await page.getByLabel("Games a run").inputValue(), "100k");
  assert.equal(await field("search.mutation.size").inputValue(), "la0rge");
  await page.getByLabel("Seeds").fill("1");
  // Another kind gets the keys that it needs.
  const kind = field("search.kind");
  const first = await kind.inputValue();
  await kind.selectOption("pso");
  await field("search.flight.own").waitFor();
  assert.equal(await field("search.particles").inputValue(), "100");
  assert.match(await page.textContent(".lost"), /search\.mutation\.size = la0rge/);
  await kind.selectOption(first);
  await wrong("search.mutation.size").waitFor();
  await field("search.mutation.size").fill("0.2");
  await wrong("search.mutation.size").waitFor({ state: "hidden" });
  await page.waitForFunction(() => !document.querySelector("button[type=submit]")?.disabled);
}

/** A long study is stopped, resumed and stopped again. */
async function stopAndResume(page) {
  await page.getByRole("link", { name: "Start training" }).click();
  await page.locator(".keys details").first().waitFor();
  await page.getByLabel("Method").fill("rsel");
  await page.getByLabel("Seeds").fill("7");
  await page.getByLabel("Games a run").fill("50M");
  await page.getByLabel("Folder").fill("runs/long");
  await page.waitForFunction(() => /--out runs\/long/.test(document.querySelector(".command")?.textContent ?? ""));
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const job = page.locator(".job").first();
  await job.getByRole("button", { name: "Stop" }).click();
  await job.locator(".state-stopped").waitFor({ timeout: 60_000 });
  await job.getByRole("button", { name: "Clear" }).click();
  const row = page.locator("tr", { hasText: "runs/long" });
  await row.getByRole("button", { name: "Resume" }).focus();
  // The list is made again as it changes; the focus stays.
  await page.waitForTimeout(4500);
  await page.keyboard.press("Enter");
  await page.locator(".job", { hasText: "runs/long" }).getByRole("button", { name: "Stop" }).click();
  await page.locator(".job", { hasText: "runs/long" }).locator(".state-stopped").waitFor({ timeout: 60_000 });
}

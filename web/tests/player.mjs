// A look into players: weights, hidden nodes, history, results.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fits, open } from "./lib/board.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

export async function test({ browser, base, shots }) {
  const list = await open(browser, base, "#/player", DESKTOP);
  await list.page.getByRole("link", { name: "lr2006" }).waitFor();
  const runs = await list.page.locator("main ul a").evaluateAll((links) => links.map((link) => link.textContent));
  await list.page.getByRole("link", { name: "lr2006" }).click();
  await list.page.locator(".heat.large").waitFor();
  assert.equal(await list.page.locator(".heat.large .square").count(), 64);
  assert.equal(await list.page.locator(".heat.large .number").first().textContent(), "4.62");
  await list.page.getByLabel("Mean over symmetric squares").check();
  // The mean of the four corners.
  assert.equal(await list.page.locator(".heat.large .number").first().textContent(), "4.95");
  await list.page.screenshot({ path: join(shots, "player-wpc.png"), fullPage: true });
  const [file] = await Promise.all([list.page.waitForEvent("download"), list.page.getByRole("button", { name: "Download the player" }).click()]);
  assert.equal(file.suggestedFilename(), "lr2006.json");
  await list.page.getByLabel("Games", { exact: true }).selectOption("100");
  await list.page.getByRole("button", { name: "Play a match" }).click();
  await list.page.locator(".results tbody tr").first().waitFor({ timeout: 60_000 });
  const row = await list.page.locator(".results tbody tr td").allTextContents();
  assert.equal(row[0], "heuristic");
  assert.equal(Number(row[2]) + Number(row[3]) + Number(row[4]), 100);
  await list.page.getByRole("button", { name: "Measure the profile" }).click();
  await list.page.locator(".profile .dot-point").first().waitFor({ timeout: 60_000 });
  assert.ok((await list.page.locator(".profile .dot-point").count()) > 10);
  await list.page.screenshot({ path: join(shots, "player-results.png"), fullPage: true });
  await list.page.getByRole("link", { name: "Play it" }).click();
  await list.page.locator(".cell.legal").first().waitFor();
  assert.equal(await list.page.locator("#seat-white").inputValue(), "lr2006");
  await list.close();

  const network = await open(browser, base, "#/player/td-greedy", { ...DESKTOP, colorScheme: "dark" });
  await network.page.locator(".fields button").first().waitFor({ timeout: 30_000 });
  assert.equal(await network.page.locator(".fields button").count(), 20);
  assert.equal(await network.page.locator(".topology .unit-group").count(), 22);
  await network.page.screenshot({ path: join(shots, "player-network-dark.png"), fullPage: true });
  await network.page.locator(".fields button").first().click();
  await network.page.locator("dialog .heat.large").waitFor();
  await network.page.getByRole("button", { name: "Close" }).click();
  await network.close();

  const phone = await open(browser, base, "#/player/td-greedy", PHONE);
  await phone.page.locator(".fields button").first().waitFor({ timeout: 30_000 });
  await fits(phone.page);
  await phone.page.screenshot({ path: join(shots, "player-phone.png"), fullPage: true });
  await phone.page.emulateMedia({ media: "print" });
  await phone.page.screenshot({ path: join(shots, "player-print.png"), fullPage: true });
  await phone.close();

  // Runs of the folder that is served, if it has any.
  // (scripts/check-serve spoils the run in runs/many, to have many points.)
  for (const run of runs.filter((name) => /\/1$/.test(name) && name !== "runs/many/1")) {
    const champion = await open(browser, base, `#/player/${run}`, DESKTOP);
    await champion.page.locator(".heat.large").first().waitFor({ timeout: 30_000 });
    const slider = champion.page.locator(".moment input");
    if (await slider.count()) {
      const numbers = () => champion.page.locator(".heat.large .number").allTextContents();
      const last = await numbers();
      await slider.fill("0");
      assert.notDeepEqual(await numbers(), last);
      assert.match(await champion.page.evaluate(() => location.hash), /at=\d+/);
    }
    await champion.page.screenshot({ path: join(shots, `player-${run.replace(/\W+/g, "-")}.png`), fullPage: true });
    await champion.close();
  }
}

// Games by mouse, keyboard and touch to their ends; values, paste, address, undo; phone, dark, print.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fits, isYourTurn, open, playOut } from "./lib/board.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, reducedMotion: "reduce" };
const DESKTOP = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" };

export async function test({ browser, base, shots }) {
  await byMouse(browser, base, shots);
  await byKeyboard(browser, base);
  await byTouch(browser, base, shots);
  await watched(browser, base, shots);
  await analysed(browser, base, shots);
  await pasted(browser, base);
  await mistaken(browser, base);
  await printed(browser, base, shots);
}

async function byMouse(browser, base, shots) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=heuristic", DESKTOP);
  assert.ok(await isYourTurn(page, 0));
  assert.equal(await page.locator(".cell.legal").count(), 4);
  const moves = await playOut(page, async () => page.locator(".cell.legal").first().click());
  assert.ok(moves > 8, `${moves} moves`);
  await page.screenshot({ path: join(shots, "play-mouse-end.png"), fullPage: true });
  const status = await page.textContent(".status");
  assert.match(status, /The game is over: \d+ to \d+\. (Black|White) wins by \d+\.|A draw/);
  // The address has the whole game: another browser shows the same end.
  const hash = await page.evaluate(() => location.hash);
  await close();
  const again = await open(browser, base, hash, DESKTOP);
  await isYourTurn(again.page, moves);
  assert.equal((await again.page.textContent(".status")).trim(), status.trim());
  // Stepping back keeps the game; a move there makes another one.
  await again.page.keyboard.press("[");
  await again.page.keyboard.press("[");
  assert.equal(await again.page.locator(".moves .move").count(), moves);
  await again.page.getByRole("button", { name: "To the start" }).click();
  assert.equal(await again.page.locator(".cell .disc").count(), 4);
  await again.page.getByRole("button", { name: "New game" }).click();
  await again.page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 0);
  await again.close();
}

async function byKeyboard(browser, base) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=positional", DESKTOP);
  await isYourTurn(page, 0);
  await page.locator('.cell[tabindex="0"]').focus();
  const square = () => page.evaluate(() => document.activeElement?.getAttribute("data-square"));
  assert.equal(await square(), "e4");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.equal(await square(), "f5");
  await page.keyboard.press("Enter");
  await isYourTurn(page, 2);
  assert.match(await page.textContent(".visually-hidden[role=status]"), /White plays .* Black to move, \d+ legal/);
  const label = await page.locator('.cell[data-square="f5"]').getAttribute("aria-label");
  assert.match(label, /^f5, (black|white) disc/);
  // Undo takes back the reply too.
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 0);
  const moves = await playOut(page, async () => {
    await page.locator('.cell[tabindex="0"]').focus();
    const [row, column] = await page.evaluate(() => {
      const at = (name) => [Number(name[1]) - 1, name.charCodeAt(0) - 97];
      const target = at(document.querySelector(".cell.legal").dataset.square);
      const here = at(document.activeElement.dataset.square);
      return [target[0] - here[0], target[1] - here[1]];
    });
    for (let step = 0; step < Math.abs(row); step++) await page.keyboard.press(row > 0 ? "ArrowDown" : "ArrowUp");
    for (let step = 0; step < Math.abs(column); step++) await page.keyboard.press(column > 0 ? "ArrowRight" : "ArrowLeft");
    await page.keyboard.press("Enter");
  });
  assert.ok(moves > 8, `${moves} moves`);
  await close();
}

async function byTouch(browser, base, shots) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=random&seed=5", PHONE);
  await isYourTurn(page, 0);
  await fits(page);
  await page.screenshot({ path: join(shots, "play-phone.png"), fullPage: true });
  const size = await page.locator(".cell").first().boundingBox();
  assert.ok(size.width >= 40, `a square is ${size.width} pixels wide`);
  const moves = await playOut(page, async () => page.locator(".cell.legal").last().tap());
  assert.ok(moves > 8, `${moves} moves`);
  await close();
}

async function watched(browser, base, shots) {
  const { page, close } = await open(browser, base, "#/play?black=lr2006&white=td-greedy", { ...DESKTOP, colorScheme: "dark" });
  await page.locator(".speed input").fill("100");
  await page.waitForFunction(() => /game is over/.test(document.querySelector(".status")?.textContent ?? ""), null, { timeout: 90_000 });
  await page.locator(".moves .move").nth(19).click();
  await page.keyboard.press("v");
  await page.locator(".worth.best").first().waitFor({ timeout: 30_000 });
  await page.screenshot({ path: join(shots, "play-dark.png"), fullPage: true });
  await close();
}

async function analysed(browser, base, shots) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=you&moves=f5d6c3d3c4f4f6f3e6e7&judge=td-greedy", DESKTOP);
  await isYourTurn(page, 10);
  assert.match(await page.textContent(".opening"), /Comp'Oth/);
  await page.getByLabel("Values of moves").check();
  await page.locator(".worth.best").first().waitFor({ timeout: 30_000 });
  const legal = await page.locator(".cell.legal").count();
  assert.equal(await page.locator(".worth").count(), legal);
  await page.getByLabel("What each disc adds").check();
  await page.locator(".added").first().waitFor();
  assert.equal(await page.locator(".added").count(), await page.locator(".cell .disc").count());
  assert.equal(await page.locator(".node").count(), 20);
  await page.screenshot({ path: join(shots, "play-values.png"), fullPage: true });
  // A move that is looked at: its square shows one number, and all numbers fit their squares.
  await page.locator(".cell.legal").first().hover();
  await page.waitForFunction(() => /^After /m.test(document.querySelector(".side-panel [role=status]")?.textContent ?? "") || /After [a-h][1-8]/.test(document.querySelector(".side-panel .note[role=status]")?.textContent ?? ""));
  const crowded = await page.evaluate(() => [...document.querySelectorAll(".cell")].filter((cell) => {
    const numbers = [...cell.querySelectorAll(".worth, .added")];
    const box = cell.getBoundingClientRect();
    return numbers.length > 1 || numbers.some((number) => number.getBoundingClientRect().width > box.width);
  }).map((cell) => cell.getAttribute("data-square")));
  assert.deepEqual(crowded, []);
  await page.screenshot({ path: join(shots, "play-tried.png"), fullPage: true });
  await page.getByLabel("Values of moves").uncheck();
  await page.getByLabel("What each disc adds").uncheck();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".cell.hint").first().waitFor({ timeout: 30_000 });
  await page.getByRole("button", { name: "Judge the whole game" }).click();
  await page.locator(".leads").waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".leads rect").count(), 10);
  await page.screenshot({ path: join(shots, "play-review.png"), fullPage: true });
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Save the game").selectOption("ggf")]);
  assert.equal(file.suggestedFilename(), "game.ggf");
  await close();
}

async function pasted(browser, base) {
  const { page, close } = await open(browser, base, "#/play", DESKTOP);
  await isYourTurn(page, 0);
  const paste = async (text) => {
    await page.getByRole("button", { name: "Paste a game" }).click();
    await page.getByLabel("Game or position").fill(text);
    await page.getByRole("button", { name: "Load" }).click();
  };
  await paste("1. F5 d6 2. C3 <script>alert(1)</script> d3 3. C4");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 5);
  // A game that is not over goes on where it ends, but the player waits, and says so.
  assert.equal(await page.locator(".cell .disc").count(), 9);
  await page.waitForTimeout(600);
  assert.equal(await page.locator(".moves .move").count(), 5);
  assert.match(await page.textContent(".status"), /White to move.* is paused\./);
  await page.getByRole("button", { name: "Go on" }).click();
  await isYourTurn(page, 6);
  // Where it is your turn you just go on; the player replies.
  await paste("f5d6c3d3");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 4);
  assert.doesNotMatch(await page.textContent(".status"), /paused|thinking/);
  await page.locator(".cell.legal").first().click();
  await isYourTurn(page, 6);
  // One that is over begins at its start.
  await paste("e6f4e3f6g5d6e7f5c5");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 9);
  assert.equal(await page.locator(".cell .disc").count(), 4);
  await page.keyboard.press("]");
  assert.equal(await page.locator(".cell .disc").count(), 5);
  // A wrong move is named, and the moves before it can be had.
  await paste("f5d6f8");
  await page.locator("dialog .error:not([hidden])").waitFor();
  assert.match(await page.textContent("dialog .error"), /move 3: Black cannot play f8/);
  await page.getByRole("button", { name: "Show the moves before it" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 2);
  await close(1);
  // A player whose name is a script is text.
  const bad = await open(browser, base, `#/play?black=you&white=${encodeURIComponent("<img src=x onerror=alert(1)>")}`, DESKTOP);
  await isYourTurn(bad.page, 0);
  await bad.page.locator(".cell.legal").first().click();
  await bad.page.locator("#toasts .error").waitFor();
  assert.equal(await bad.page.locator("main img").count(), 0);
  await bad.close(1);
}

/** An address that is wrong says what is wrong, and shows what can be read. */
async function mistaken(browser, base) {
  for (const [query, notice, moves] of [
    ["moves=f5d6a1c3", /move 3: Black cannot play a1.* The 2 moves before it are shown/, 2],
    ["moves=f5zz", /move 2: "zz" is not a square a1 to h8\. The move before it is shown/, 1],
    ["moves=%F0%9F%98%80%00%3Cscript%3E&at=x&seed=-7.5", /move 1: .* A new game is shown/, 0],
    ["start=hello&moves=f5", /start: .* A new game is shown/, 0],
  ]) {
    const { page, close } = await open(browser, base, `#/play?black=heuristic&white=heuristic&${query}`, DESKTOP);
    await page.locator("main > .error:not([hidden])").waitFor();
    assert.match(await page.textContent("main > .error"), notice);
    // Nobody goes on from a mistake unasked.
    await page.waitForTimeout(400);
    assert.equal(await page.locator(".moves .move").count(), moves, query);
    assert.match(await page.textContent(".status"), /to move.* is paused/);
    await page.getByRole("button", { name: "New game" }).click();
    await page.locator("main > .error").waitFor({ state: "hidden" });
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length > 2);
    // Whoever is paused does not think.
    await page.getByRole("button", { name: "Pause" }).click();
    assert.doesNotMatch(await page.textContent(".status"), /thinking/);
    assert.match(await page.textContent(".status"), /paused/);
    await close();
  }
}

async function printed(browser, base, shots) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=you&moves=f5d6c3d3c4", DESKTOP);
  await isYourTurn(page, 5);
  await page.emulateMedia({ media: "print" });
  await page.screenshot({ path: join(shots, "play-print.png"), fullPage: true });
  assert.ok(await page.locator(".board").isVisible());
  assert.ok(!(await page.getByRole("button", { name: "New game" }).isVisible()));
  await close();
}

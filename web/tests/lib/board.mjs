// What the tests of boards share. `base` is the address that the program prints, with its token.
import assert from "node:assert/strict";

/** Opens a page in a context of its own; anything that a browser complains about is a failure. */
export async function open(browser, base, hash, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(base);
  await page.waitForFunction(() => !location.hash.startsWith("#token"));
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  // The browser notes refused requests, too; a test that provokes some says how many.
  const close = async (refused = 0) => {
    await context.close();
    const isRefusal = (text) => /status of 422/.test(text);
    assert.deepEqual(complaints.filter((text) => !isRefusal(text)), []);
    assert.equal(complaints.filter(isRefusal).length, refused);
  };
  return { page, close };
}

/** Waits until it is the person's turn; false if the game is over. */
export async function isYourTurn(page, moves) {
  await page.waitForFunction(
    (count) => {
      const over = /game is over/.test(document.querySelector(".status")?.textContent ?? "");
      return document.querySelectorAll(".moves .move").length > count && (over || document.querySelector(".cell.legal"));
    },
    moves - 1,
    { timeout: 60_000 },
  );
  return !/game is over/.test(await page.textContent(".status"));
}

/** Plays a game to its end; `make` makes one of the legal moves. */
export async function playOut(page, make) {
  let made = 0;
  while (await isYourTurn(page, made)) {
    const before = await page.locator(".moves .move").count();
    await make(page, made);
    made = before + 1;
  }
  return page.locator(".moves .move").count();
}

/** Fails if a page is wider than its window. */
export async function fits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 1, `the page is ${wide} pixels too wide`);
}

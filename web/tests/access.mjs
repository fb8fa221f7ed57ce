// What screen readers get: every control has a name, moves are said, and the focus stays where it is.
import assert from "node:assert/strict";
import { isYourTurn, open } from "./lib/board.mjs";
import { DESKTOP, PAGES } from "./lib/pages.mjs";

/** Roles of what can be used. */
const CONTROLS = new Set(["button", "link", "textbox", "searchbox", "combobox", "listbox", "option", "checkbox", "radio", "slider", "spinbutton", "switch", "gridcell", "menuitem", "tab", "DisclosureTriangle", "Iframe", "image", "img", "progressbar", "dialog", "table", "grid", "region"]);
/** Of these a table may do without: its rows and columns have heads. */
const MAY_LACK = new Set(["table"]);

export async function test({ browser, base }) {
  await names(browser, base);
  await moves(browser, base);
  await focus(browser, base);
}

/** The nodes of the accessibility tree that a screen reader sees. */
async function tree(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.filter((node) => !node.ignored).map((node) => ({ role: node.role?.value ?? "", name: (node.name?.value ?? "").trim(), id: node.backendDOMNodeId }));
}

async function names(browser, base) {
  const { page, close } = await open(browser, base, "#/runs", DESKTOP);
  const nameless = [];
  for (const { name, hash, ready } of PAGES) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.locator(ready).first().waitFor({ timeout: 60_000 });
    // What is folded is there, too.
    await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
    const nodes = await tree(page);
    if (name === "play") {
      // A dialog hides the rest of the page.
      await page.getByRole("button", { name: "Paste a game" }).click();
      nodes.push(...(await tree(page)).filter(({ role }) => role !== "main"));
      await page.getByRole("button", { name: "Cancel" }).click();
    }
    const controls = nodes.filter(({ role }) => CONTROLS.has(role));
    assert.ok(controls.length > 5, `${name}: ${controls.length} controls`);
    for (const node of controls) if (!node.name && !MAY_LACK.has(node.role)) nameless.push(`${name}: ${node.role}`);
    assert.equal(nodes.filter(({ role }) => role === "main").length, 1, name);
    assert.equal(await page.locator("[tabindex]").evaluateAll((all) => all.filter((one) => one.tabIndex > 0).length), 0, name);
    // One heading of the first level, except for a report, which brings its own.
    if (name !== "report") assert.equal(await page.locator("main h1").count(), 1, name);
    // Ids are what labels point at.
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, name);
  }
  assert.deepEqual(nameless, []);
  await close();
}

/** Moves, passes and steps are said; the board has one place in the order of the Tab key. */
async function moves(browser, base) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=heuristic", { ...DESKTOP, reducedMotion: "reduce" });
  await isYourTurn(page, 0);
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const live = (node) => node.properties?.some(({ name, value }) => name === "live" && value.value !== "off");
  assert.ok(nodes.some((node) => !node.ignored && live(node)), "there is a live region");
  assert.equal(nodes.filter((node) => node.role?.value === "gridcell" && !node.ignored).length, 64);
  const said = () => page.locator("[role=status].visually-hidden").textContent();
  await page.locator('.cell[data-square="f5"]').click();
  await isYourTurn(page, 2);
  const reply = await page.locator(".moves .move").nth(1).textContent();
  assert.match(await said(), new RegExp(`^White plays ${reply} and turns \\d+ discs?\\. Black to move, \\d+ legal moves`));
  const texts = (await tree(page)).filter(({ role }) => role === "StaticText").map(({ name }) => name);
  assert.ok(texts.some((text) => text.startsWith(`White plays ${reply}`)), "the move is in the tree");
  await page.keyboard.press("[");
  assert.match(await said(), /^Black plays f5/);
  assert.equal(await page.locator('.cell[tabindex="0"]').count(), 1);
  await close();
}

/** What is pressed keeps the focus, and the order of the Tab key is that of the page. */
async function focus(browser, base) {
  const { page, close } = await open(browser, base, "#/play?black=you&white=you&moves=f5d6c3d3c4", { ...DESKTOP, reducedMotion: "reduce" });
  await isYourTurn(page, 5);
  await page.getByRole("button", { name: "2. White d6" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".moves [aria-current]")?.textContent === "d6");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "d6");
  await page.locator(".skip").focus();
  const order = [];
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const all = [...document.querySelectorAll("*")];
      return document.activeElement === document.body ? -1 : all.indexOf(document.activeElement);
    });
    if (place < 0 || (order.length && place <= order.at(-1))) break;
    order.push(place);
  }
  assert.ok(order.length > 20, `${order.length} places in the order of the Tab key`);
  await close();
}

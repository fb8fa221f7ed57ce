// Every page on a phone, a tablet and a desktop, light and dark: nothing is too wide, and fingers
// find targets of 40 pixels.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fits, open } from "./lib/board.mjs";
import { DESKTOP, PAGES, PHONE, TABLET } from "./lib/pages.mjs";

const SIZES = { phone: PHONE, tablet: TABLET, desktop: DESKTOP };

export async function test({ browser, base, shots }) {
  const faults = [];
  for (const [size, options] of Object.entries(SIZES))
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await open(browser, base, "#/runs", { ...options, colorScheme: scheme });
      for (const { name, hash, ready } of PAGES) {
        await page.evaluate((to) => { location.hash = to; }, hash);
        await page.locator(ready).first().waitFor({ timeout: 60_000 });
        await page.waitForTimeout(150);
        await fits(page).catch((error) => faults.push(`${name}, ${size}: ${error.message}`));
        for (const fault of await page.evaluate(misshapen)) faults.push(`${name}, ${size}: ${fault}`);
        if (options.hasTouch) for (const small of await page.evaluate(smallTargets)) faults.push(`${name}, ${size}: ${small}`);
        await page.screenshot({ path: join(shots, `${name}-${size}-${scheme}.png`), fullPage: true });
      }
      await close();
    }
  assert.deepEqual([...new Set(faults)], []);
}

/** What does not fit its place: studies beside their box, discs that do not fill their squares. */
function misshapen() {
  const found = [];
  for (const table of document.querySelectorAll("table.studies")) {
    const { scrollWidth, clientWidth } = table.parentElement;
    if (scrollWidth > clientWidth + 1) found.push(`the studies are ${scrollWidth - clientWidth} pixels too wide`);
  }
  for (const disc of document.querySelectorAll(".cell .disc")) {
    const share = disc.offsetWidth / disc.parentElement.offsetWidth;
    if (share < 0.7 || share > 1) found.push(`a disc fills ${Math.round(100 * share)}% of its square`);
  }
  return [...new Set(found)];
}

/** Targets that are seen and lower than 40 pixels. Links in running text are as high as the text. */
function smallTargets() {
  const found = [];
  for (const element of document.querySelectorAll("a, button, input, select, textarea, summary, [role=button]")) {
    if (element.closest(".skip, svg") || !element.checkVisibility({ visibilityProperty: true })) continue;
    const isInText = element.matches("p a, .note a, figcaption a");
    if (isInText) continue;
    const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
    if (boxes.some(({ width, height }) => width >= 39.5 && height >= 39.5)) continue;
    const [{ width, height }] = boxes;
    found.push(`${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30) || element.id || element.type}" is ${Math.round(width)} by ${Math.round(height)}`);
  }
  return found;
}

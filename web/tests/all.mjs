// All pages in a real browser: node tests/all.mjs ADDRESS FOLDER-FOR-PICTURES [NAME...]
// Each test exports `test({ browser, base, shots })`. Chromium is Debian's, or $CHROMIUM.
import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [base, shots, ...only] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here).filter((name) => name.endsWith(".mjs") && name !== "all.mjs").map((name) => name.slice(0, -4));
mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let failures = 0;
for (const name of names.filter((name) => !only.length || only.includes(name))) {
  const began = Date.now();
  try {
    const { test } = await import(`./${name}.mjs`);
    await test({ browser, base, shots });
    console.log(`${name}: fine, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    failures++;
    console.log(`${name}: ${error?.stack ?? error}`);
  }
}
await browser.close();
process.exit(failures ? 1 : 0);

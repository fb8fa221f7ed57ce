// Makes dist/: the page as the program embeds it. `--watch` does it again after every change,
// `--out FOLDER` writes elsewhere.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = at > 0 ? process.argv[at + 1] : join(here, "dist");
const watch = process.argv.includes("--watch");

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of ["index.html", "icon.svg"]) cpSync(join(here, name), join(out, name));

const options = {
  absWorkingDir: here,
  entryPoints: { app: "src/shell.ts", style: "src/style.css" },
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  minify: !watch,
  legalComments: "none",
  charset: "utf8",
  chunkNames: "[name]-[hash]",
  logLevel: "warning",
};
if (watch) {
  const context = await esbuild.context(options);
  await context.watch();
  console.log(`watching; ${out}`);
} else {
  await esbuild.build(options);
}

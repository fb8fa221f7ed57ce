// A tab that is left open while work goes on does not grow: nodes, listeners and memory stay.
import assert from "node:assert/strict";
import { open } from "./lib/board.mjs";
import { DESKTOP } from "./lib/pages.mjs";

/** Events in a batch; the page asks for the next batch when one has ended. */
const BATCH = 500;
const BATCHES = 6;
const LOOKS = 800;

export async function test({ browser, base }) {
  await jobs(browser, base);
  await curves(browser, base);
}

/** Answers wait while this is pending: what is under way must not be weighed. */
let pause = Promise.resolve();

/** Nodes, listeners and bytes, after a collection of garbage. */
async function weigh(page, session) {
  let goOn = () => {};
  pause = new Promise((done) => { goOn = done; });
  await page.waitForTimeout(500);
  for (let turn = 0; turn < 3; turn++) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (wanted) => metrics.find(({ name }) => name === wanted).value;
  goOn();
  return { nodes: of("Nodes"), listeners: of("JSEventListeners"), heap: of("JSHeapUsedSize") };
}

function assertSteady(what, events, before, after) {
  const kb = (bytes) => Math.round(bytes / 1000);
  console.log(`idle: ${what}, ${events} events: nodes ${before.nodes} to ${after.nodes}, listeners ${before.listeners} to ${after.listeners}, heap ${kb(before.heap)} kB to ${kb(after.heap)} kB`);
  assert.ok(after.nodes <= before.nodes + 50, `${what}: nodes`);
  assert.ok(after.listeners <= before.listeners + 10, `${what}: listeners`);
  assert.ok(after.heap <= before.heap + 500_000, `${what}: heap`);
}

/** The page Runs with studies that go on, end and begin again. */
async function jobs(browser, base) {
  const { page, close } = await open(browser, base, "#/papers", DESKTOP);
  let told = 0;
  const job = (id, event) => {
    const isOver = event % 50 > 40;
    const runs = Array.from({ length: 8 }, (_, seed) => ({ seed, games: (event * 997) % 100_000, values: { utility: (event % 997) / 997 }, ended: isOver }));
    return { id, command: "learn", title: `learn rsel in runs/${id}`, request: { out: `runs/${id}` }, state: isOver ? "done" : "running", unit: "games", done: (event * 997) % 800_000, total: 800_000, rate: 1234 + event, part: `part ${event}`, seconds: event, notes: [`note ${event}`], runs, problem: event % 100 === 99 ? "it failed" : null, answer: null };
  };
  await page.route("**/api/events", async (route) => {
    await pause;
    const events = Array.from({ length: BATCH }, () => {
      told++;
      const first = Math.floor(told / 50);
      return `data: ${JSON.stringify({ jobs: [job(first + 2, told), job(first + 1, told + 25)] })}\n\n`;
    });
    return route.fulfill({ contentType: "text/event-stream", body: events.join("") });
  });
  await page.evaluate(() => { location.hash = "#/runs"; });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const until = async (events) => {
    while (told < events) await page.waitForTimeout(100);
    await page.locator(".job").first().waitFor();
  };
  await until(3 * BATCH);
  const [before, from] = [await weigh(page, session), told];
  await until((3 + BATCHES) * BATCH);
  assertSteady("runs", told - from, before, await weigh(page, session));
  await close();
}

/** The page Curves with runs that go on: each look brings other values of the last point. */
async function curves(browser, base) {
  const { page, close } = await open(browser, base, "#/papers", DESKTOP);
  let looks = 0;
  const POINTS = 200;
  await page.route("**/api/curves", async (route) => {
    await pause;
    looks++;
    const { known } = route.request().postDataJSON();
    const run = (study, seed) => {
      const folder = `runs/${study}/${seed}`;
      // The last point is told again and again: its values change, and now and then the state.
      const from = known[folder] ?? 0;
      const points = Array.from({ length: POINTS - from }, (_, index) => from + index + 1);
      return { folder, seed, state: looks % 2 ? "going" : "stopped", pace: 0.001, known: from, games: points.map((point) => 100 * point), generations: points, values: { utility: points.map((point) => 0.5 + 0.4 * Math.sin(point + looks + seed) ** 2) } };
    };
    const results = ["a", "b"].map((study) => ({ name: study, label: study, folder: `runs/${study}`, runs: [1, 2, 3, 4].map((seed) => run(study, seed)) }));
    return route.fulfill({ json: { probes: [{ name: "utility", title: "Utility", is_share: true }], results } });
  });
  await page.route("**/api/compare", (route) => route.fulfill({ json: { results: [] } }));
  // Two seconds between looks would take an hour.
  await page.evaluate(() => {
    const slow = window.setInterval;
    window.setInterval = (work, wait, ...rest) => slow(work, wait >= 1000 ? 5 : wait, ...rest);
    location.hash = "#/curves?s=runs%2Fa&s=runs%2Fb";
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const until = async (wanted) => {
    while (looks < wanted) await page.waitForTimeout(100);
    await page.locator(".u-over").waitFor();
  };
  await until(300);
  const [before, from] = [await weigh(page, session), looks];
  await until(300 + LOOKS);
  assertSteady("curves", looks - from, before, await weigh(page, session));
  await close();
}

// How soon pages show something, and what many viewers of a live run cost. By hand, on a quiet machine:
//   TANREN=target/release/tanren node harness/browser/measure.js times DIR RUN...     first picture of report.html and of the server's pages
//   TANREN=target/release/tanren node harness/browser/measure.js viewers 200 [ROUNDS] a match with and without that many viewers
//   TANREN=target/release/tanren node harness/browser/measure.js watch 200 DIR        that many viewers of the run DIR/m, until Ctrl-C
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const tanren = resolve(process.env.TANREN ?? "target/release/tanren");
const [what, ...words] = process.argv.slice(2);

/** @param {string} folder */
async function serve(folder) {
  const child = spawn(tanren, ["serve", folder], { stdio: ["ignore", "pipe", "inherit"] });
  const address = String(await new Promise((done) => child.stdout.once("data", done))).trim();
  return { child, address };
}

/**
 * Milliseconds until a page first shows something, and until its answer stands there.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {string} answer
 */
async function picture(browser, url, answer) {
  const page = await (await browser.newContext()).newPage();
  const began = performance.now();
  await page.goto(url);
  await page.locator(answer).first().waitFor();
  const whole = performance.now() - began;
  const first = await page.evaluate(async () => {
    const known = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    while (!known()) await new Promise((done) => setTimeout(done, 10));
    return known();
  });
  await page.context().close();
  return [Math.round(first ?? 0), Math.round(whole)];
}

/** @param {string[]} words */
async function times([folder = ".", ...runs]) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const report = (/** @type {string} */ run) => pathToFileURL(resolve(folder, run, "report.html")).href;
  await picture(browser, report(runs[0] ?? ""), ".answer");
  console.log("page,run,first_picture_ms,answer_ms");
  for (const run of runs) console.log(["report.html", run, ...(await picture(browser, report(run), ".answer"))].join());
  for (const run of runs) {
    // Nothing is counted before.
    const { child, address } = await serve(folder);
    console.log(["serve cold", run, ...(await picture(browser, `${address}runs/${run}/`, ".answer"))].join());
    console.log(["serve warm", run, ...(await picture(browser, `${address}runs/${run}/`, ".answer"))].join());
    console.log(["list", run, ...(await picture(browser, address, `[data-run="${run}"]`))].join());
    child.kill("SIGINT");
  }
  await browser.close();
}

/** Seconds of a processor that a process used. @param {number} pid */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * A viewer as the page is one: it hears of changes and takes what changed.
 * @param {string} address
 * @param {http.Agent} agent
 */
function view(address, agent) {
  let changes = 0;
  let isBusy = false;
  const request = http.get(`${address}live/m`, { agent }, (answer) => {
    answer.on("data", (data) => {
      if (!String(data).includes("event: change")) return;
      changes += 1;
      if (isBusy) return;
      isBusy = true;
      http
        .get(`${address}fragment/m`, { agent }, (fragment) => {
          fragment.resume();
          fragment.on("end", () => (isBusy = false));
        })
        .on("error", () => (isBusy = false));
    });
    answer.on("error", () => {});
  });
  request.on("error", () => {});
  return () => (request.destroy(), changes);
}

/** @param {string[]} words */
async function viewers([count = "200", rounds = "3"]) {
  const seconds = 20;
  console.log("round,viewers,games_per_second,games_per_processor_second,server_share_of_a_core,changes_a_viewer");
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const number of [0, Number(count)]) {
      const folder = mkdtempSync(join(tmpdir(), "tanren-viewers-"));
      const match = spawn(
        tanren,
        ["match", "--a", "base", "--b", "plain", "--nodes", "1000", "--pairs", "20000", "--concurrency", "1", "--quiet", "--out", join(folder, "m")],
        { stdio: "ignore" },
      );
      await new Promise((done) => setTimeout(done, 1_500));
      const { child, address } = await serve(folder);
      const agent = new http.Agent({ maxSockets: Infinity });
      const stops = Array.from({ length: number }, () => view(address, agent));
      const games = async () => (await (await fetch(`${address}api/v1/runs`)).json()).runs[0].done * 2;
      const look = async () => ({ games: await games(), match: processorTime(match.pid ?? 0), server: processorTime(child.pid ?? 0) });
      const [before, began] = [await look(), performance.now()];
      await new Promise((done) => setTimeout(done, seconds * 1_000));
      const after = await look();
      const took = (performance.now() - began) / 1_000;
      const played = after.games - before.games;
      const changes = stops.map((stop) => stop()).reduce((one, other) => one + other, 0) / Math.max(number, 1);
      const speeds = [played / took, played / (after.match - before.match)].map((speed) => speed.toFixed(2));
      console.log([round, number, ...speeds, ((after.server - before.server) / took).toFixed(4), changes.toFixed(1)].join());
      match.kill("SIGKILL");
      child.kill("SIGINT");
      agent.destroy();
      await new Promise((done) => setTimeout(done, 500));
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** @param {string[]} words */
async function watch([count = "200", folder = "."]) {
  const { address } = await serve(folder);
  const agent = new http.Agent({ maxSockets: Infinity });
  const stops = Array.from({ length: Number(count) }, () => view(address, agent));
  process.once("SIGINT", () => {
    const changes = stops.map((stop) => stop()).reduce((one, other) => one + other, 0);
    console.log(`${count} viewers heard of ${changes} changes`);
    process.exit();
  });
}

if (what === "times") await times(words);
else if (what === "viewers") await viewers(words);
else if (what === "watch") await watch(words);
else console.error("say times DIR RUN..., viewers N [ROUNDS] or watch N DIR");

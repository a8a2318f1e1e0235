// The pages of `tanren serve` in a real browser, while runs go on in other processes. Run by scripts/browser.sh.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const tanren = process.env.TANREN ?? "target/debug/tanren";
const here = new URL(".", import.meta.url).pathname;
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
const root = mkdtempSync(join(tmpdir(), "tanren-serve-"));
const match = "match --a base --b base,null_move=off,lmr=off --nodes 1000 --hash 1 --concurrency 1 --quiet".split(" ");
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {(() => void)[]} */
const ends = [];

/**
 * A server of the folder, at this port; its address as it printed it.
 * @param {string[]} words
 * @returns {Promise<{ address: string, origin: string, end: () => Promise<number | null> }>}
 */
async function serve(...words) {
  const child = spawn(tanren, ["serve", root, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const end = () => (child.kill("SIGINT"), /** @type {Promise<number | null>} */ (ended));
  ends.push(end);
  const address = String(await new Promise((resolve) => child.stdout.once("data", resolve))).trim();
  return { address, origin: new URL(address).origin, end };
}

/**
 * A run in a process of its own.
 * @param {string[]} words
 */
function start(...words) {
  const child = spawn(tanren, words, { cwd: root, stdio: "ignore" });
  ends.push(() => child.kill("SIGKILL"));
  return { child, ended: new Promise((resolve) => child.once("exit", resolve)) };
}

/**
 * A page whose every complaint, and every request to elsewhere, is kept.
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function open(url, options = {}) {
  const page = await (await browser.newContext(options)).newPage();
  /** @type {string[]} */
  const complaints = [];
  const { origin } = new URL(url);
  page.on("console", (message) => {
    // A server that is away is what some of these tests are about.
    if (["error", "warning"].includes(message.type()) && !message.text().includes("ERR_")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith(origin) || request.url().startsWith("data:") || complaints.push(`request ${request.url()}`));
  await page.goto(url);
  return { page, complaints };
}

/** @param {import("playwright-core").Page} page */
async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // @ts-ignore: axe is no part of this program
    const { violations } = await axe.run();
    return violations.map((/** @type {any} */ rule) => `${rule.id}: ${rule.nodes[0].html.slice(0, 150)}`);
  });
}

/**
 * Waits until a text of the page is as it should be.
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 * @param {RegExp} wanted
 */
async function shows(page, selector, wanted) {
  for (let tries = 0; tries < 600; tries += 1) {
    const texts = await page.locator(selector).allInnerTexts();
    if (texts.some((text) => wanted.test(text))) return;
    await page.waitForTimeout(100);
  }
  assert.fail(`${selector} does not show ${wanted}: ${await page.locator(selector).allInnerTexts()}`);
}

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(async () => {
  for (const end of ends) end();
  await browser?.close();
});

test("a run of another process is followed to its verdict, through a reload, a kill and a new server", async () => {
  let server = await serve();
  const port = new URL(server.address).port;
  const { page, complaints } = await open(server.address);
  const run = [...match, "--pairs", "150", "--out", "followed"];
  const first = start(...run);
  await shows(page, '[data-run="followed"] .state', /RUNNING/);
  await page.locator('[data-run="followed"] a').click();
  await shows(page, ".answer", /[1-9]\d* (pairs|games)/);
  await page.reload();
  await shows(page, "#live-state", /following/);
  first.child.kill("SIGKILL");
  await first.ended;
  await server.end();
  await shows(page, "#live-state", /away/);
  const second = start(...run);
  server = await serve("--port", port);
  await shows(page, "#live-state", /following/);
  await second.ended;
  await shows(page, ".answer", /300 games/);
  const answer = await page.locator(".answer").innerText();
  const alone = await open(`file://${join(root, "followed/report.html")}`);
  assert.equal(await alone.page.locator(".answer").innerText(), answer, "the file says the same");
  await page.locator("#game-list [data-game]").first().click();
  await page.locator("#go-on").click();
  assert.match(await page.locator("#game-move").innerText(), /^1 /);
  assert.deepEqual(complaints, []);
  await server.end();
});

test("the boards of the games in progress follow them, and are positions of games that are stored", async () => {
  const server = await serve();
  const run = start(..."match --a base --b plain --nodes 2000 --hash 1 --concurrency 2 --quiet --pairs 20000 --out boards".split(" "));
  await shows((await open(server.address)).page, '[data-run="boards"] .state', /RUNNING/);
  const { page, complaints } = await open(`${server.origin}/runs/boards/`);
  await page.locator("#board-list figure svg.board").first().waitFor();
  const look = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("#board-list figure")].map((figure) => ({
        n: Number(figure.getAttribute("data-game")),
        plies: Number(figure.getAttribute("data-plies")),
        position: figure.querySelector("svg")?.getAttribute("data-position"),
        marked: figure.querySelectorAll(".marked").length,
      })),
    );
  const first = await look();
  assert.ok(first.length >= 1 && first.length <= 2);
  for (let tries = 0; JSON.stringify(await look()) === JSON.stringify(first); tries += 1) {
    assert.ok(tries < 300, "the boards stand still");
    await page.waitForTimeout(100);
  }
  assert.deepEqual(await violations(page), []);
  for (const board of first) {
    let row;
    for (let tries = 0; !row; tries += 1) {
      assert.ok(tries < 600, `game ${board.n} is not stored`);
      await page.waitForTimeout(100);
      const answer = await (await fetch(`${server.origin}/api/v1/runs/boards/games?from=${board.n - 1}&count=2`)).json();
      row = answer.rows.find((/** @type {any} */ row) => row.n === board.n);
    }
    const games = await open(`${server.origin}/runs/boards/#game=${board.n}&ply=${board.plies}`);
    const svg = games.page.locator("#game-board svg.board");
    await svg.waitFor();
    assert.equal(await svg.getAttribute("data-position"), board.position);
    assert.equal(await games.page.locator("#game-board .marked").count(), board.marked);
    await games.page.context().close();
  }
  run.child.kill("SIGKILL");
  await run.ended;
  await page.locator("#boards").waitFor({ state: "hidden" });
  assert.deepEqual(complaints, []);
  await server.end();
});

test("a filter looks through the pages of games that are not loaded", async () => {
  await start(..."match --a base --b plain --nodes 10 --hash 1 --quiet --pairs 260 --out many".split(" ")).ended;
  const server = await serve();
  const { page, complaints } = await open(`${server.origin}/runs/many/`);
  await shows(page, "#game-list", /200 of 520 games are loaded/);
  const { rows } = await (await fetch(`${server.origin}/api/v1/runs/many/games?from=0&count=1000`)).json();
  const last = rows.at(-1).o;
  const wanted = rows.filter((/** @type {any} */ row) => row.o === last);
  await page.locator("#filter-opening").fill(String(last));
  await shows(page, "#game-count", new RegExp(`^${wanted.length} games$`));
  assert.ok(wanted.some((/** @type {any} */ row) => row.n === 520));
  await page.locator('#game-list [data-game="520"]').waitFor();
  assert.deepEqual(complaints, []);
  await server.end();
});

test("games whose numbers have gaps are loaded to the last, and a number that is not there is asked for once", async () => {
  writeFileSync(
    join(root, "single.toml"),
    'command = "match"\na = "base"\nb = "plain"\nnodes = 10\nhash = 1\npairs = 450\nrepeat = true\nsingle_games = true\n',
  );
  await start(..."run single.toml --quiet --out single".split(" ")).ended;
  await start(..."match --a base --b plain --nodes 10 --hash 1 --quiet --pairs 450 --repeat --shard 2/2 --out shard".split(" ")).ended;
  const server = await serve();
  for (const run of ["single", "shard"]) {
    const { rows } = await (await fetch(`${server.origin}/api/v1/runs/${run}/games?count=1000`)).json();
    const numbers = rows.map((/** @type {any} */ row) => row.n);
    const last = numbers.at(-1);
    const missing = [last - 1, last - 2].find((number) => !numbers.includes(number));
    const { page, complaints } = await open(`${server.origin}/runs/${run}/`);
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => request.url().includes("/games?") && asked.push(request.url()));
    await shows(page, "#game-list", /200 of 450 games are loaded/);
    await page.locator("#filter-number").fill(String(missing));
    await page.waitForTimeout(1_000);
    assert.equal(asked.length, 1, "a number that is not there");
    await page.locator("#filter-number").fill(String(last));
    await page.locator(`#game-list [data-game="${last}"]`).waitFor();
    await page.locator("#filter-number").fill("");
    await page.locator("#load-games").click();
    await shows(page, "#game-list", /40\d of 450 games are loaded/);
    await page.locator("#load-games").click();
    await page.locator("#load-games").waitFor({ state: "detached" });
    await shows(page, "#game-count", /^450 games$/);
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
  await server.end();
});

test("list and run are the same for a phone, in the dark, in Japanese, and for who cannot see", async () => {
  const server = await serve();
  for (const path of ["", "runs/followed/"]) {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 800 } }]) {
      const { page, complaints } = await open(`${server.origin}/${path}`, /** @type {any} */ (options));
      await shows(page, path ? ".answer" : '[data-run="followed"]', /games/);
      assert.deepEqual(await violations(page), []);
      await page.locator("#switch-language").click();
      assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
      assert.deepEqual(await violations(page), []);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wider <= 0, `${wider} pixels too wide`);
      assert.deepEqual(complaints, []);
      await page.context().close();
    }
  }
  await server.end();
});

test("names that are markup stay text in the list and on the page", async () => {
  const evil = '</script><script>document.title=1</script>"><img src=x onerror=document.title=1>';
  writeFileSync(join(root, "evil.toml"), `preset = "base"\nname = '${evil}'\n`);
  await start("match", "--a", "@evil.toml", "--b", "plain", "--nodes", "20", "--pairs", "2", "--hash", "1", "--quiet", "--out", "<img src=x>").ended;
  const server = await serve();
  const { page, complaints } = await open(server.address);
  await shows(page, "#runs", /<script>/);
  await page.locator('[data-run="<img src=x>"] a').click();
  await shows(page, "h1", /<script>/);
  assert.notEqual(await page.title(), "1");
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(complaints, []);
  await server.end();
});

test("a run is asked for in a form, paused, resumed and stopped from the page", async () => {
  const server = await serve("--control");
  const { page, complaints } = await open(server.address);
  assert.ok(!page.url().includes("token"), "the token does not stay in the address");
  await page.locator("[popovertarget=new].go").click();
  const field = (/** @type {string} */ name) => page.locator(`#new [name=${name}]`);
  await field("name").fill("night");
  await field("a").fill("base");
  await field("b").fill("usi:sh -c true");
  await field("amount").fill("200");
  await field("pairs").fill("4000");
  await field("sprt").selectOption("");
  await page.locator("#new [type=submit]").click();
  await shows(page, "#queue-said", /--control-programs/);
  await field("b").fill('base,lmr="off"');
  await page.locator("#new [type=submit]").click();
  await shows(page, "#queue-said", /lmr/);
  assert.deepEqual(await violations(page), []);
  await field("b").fill("base,lmr=off");
  await page.locator("#new [type=submit]").click();
  await shows(page, '[data-run="night"] .state', /RUNNING/);
  await page.locator("[popovertarget=new].go").click();
  await field("name").fill("next");
  await page.locator("#new summary").click();
  await field("text").fill("command = 'match'\na = 'base'\nb = 'plain'\nnodes = 20\npairs = 2\n");
  await page.locator("#new [type=submit]").click();
  await shows(page, '[data-run="next"] .state', /QUEUED/);
  assert.deepEqual(await violations(page), []);
  await page.locator('[data-take-out="next"]').click();
  await page.locator('[data-run="next"]').waitFor({ state: "detached" });
  await page.locator('[data-run="night"] a').click();
  const may = (/** @type {string} */ wish) => page.locator(`[data-wish=${wish}]:enabled`);
  page.on("dialog", (dialog) => dialog.accept());
  await may("pause").click();
  await may("resume").click();
  assert.deepEqual(await violations(page), []);
  await may("stop").click();
  await may("resume").waitFor();
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes("422")),
    [],
  );
  await server.end();
});

// report.html of every kind of run in a real browser, as a file that somebody was sent. Run by scripts/browser.sh.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const tanren = process.env.TANREN ?? "target/debug/tanren";
const python = process.env.PYTHON ?? "python3";
const here = new URL(".", import.meta.url).pathname;
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "tanren-browser-"));
const short = "--nodes 50 --hash 1 --quiet".split(" ");
/** @type {Record<string, string[]>} */
const kinds = {
  shogi: ["match", "--a", "base", "--b", "base,null_move=off,lmr=off", "--pairs", "25", ...short],
  chess: ["match", "--game", "chess", "--a", "base", "--b", "base,lmr=off", "--pairs", "25", ...short],
  chess960: ["match", "--game", "chess", "--openings", join(folder, "960.epd"), "--a", "base", "--b", "base,lmr=off", "--pairs", "25", ...short],
  tournament: ["tournament", "--player", "base", "--player", "plain", "--player", "tacos-ss", "--pairs", "4", ...short],
  nodes: ["nodes", "--config", "base", "--config", "base,null_move=off", "--depth", "2", "--quiet"],
  ablate: ["ablate", "--only", "null_move", "--pairs", "4", ...short],
  odds: ["odds", "--a", "base", "--b", "plain", "--pairs", "4", ...short],
  tune: ["tune", "--space", join(folder, "space.txt"), "--nodes", "50", "--games", "8", "--confirm-pairs", "2", "--quiet"],
  night: ["run", join(folder, "n.toml"), "--quiet"],
  markup: ["match", "--a", `@${join(folder, "evil.toml")}`, "--b", "plain", "--pairs", "2", ...short],
};
/** @type {import("playwright-core").Browser} */
let browser;

/** @param {string} kind */
const address = (kind) => `file://${join(folder, kind, "report.html")}`;

before(async () => {
  writeFileSync(join(folder, "space.txt"), "lmr.base, int, 1232, 0, 3696, 64, 0.002\n");
  writeFileSync(join(folder, "n.toml"), '[[job]]\nname = "one"\ncommand = "match"\na = "base"\nb = "plain"\nnodes = 50\npairs = 2\n');
  writeFileSync(join(folder, "evil.toml"), 'preset = "base"\nname = \'</script><script>document.title=1</script>"><img src=x onerror=document.title=1>\'\n');
  execFileSync(tanren, ["openings", "generate", "--chess960", "--count", "25", "--out", join(folder, "960.epd")], { stdio: "ignore" });
  for (const [kind, words] of Object.entries(kinds)) execFileSync(tanren, [...words, "--out", join(folder, kind)], { cwd: folder });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(() => browser?.close());

/**
 * A page whose every complaint and every request is kept.
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function open(url, options = {}) {
  const page = await (await browser.newContext(options)).newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith(address("").slice(0, -13)) || complaints.push(`request ${request.url()}`));
  await page.goto(url);
  return { page, complaints };
}

/**
 * What a page that axe was put into does wrong. Contrast is most of the work: half a minute where a table is long.
 * @param {import("playwright-core").Page} page
 * @param {boolean} contrast
 */
const violations = (page, contrast) =>
  page.evaluate(async (contrast) => {
    // @ts-ignore: axe is no part of this program
    const { violations } = await axe.run({ rules: { "color-contrast": { enabled: contrast } } });
    return violations.map((/** @type {any} */ rule) => `${rule.id}: ${rule.nodes[0].html.slice(0, 150)}`);
  }, contrast);

for (const kind of Object.keys(kinds)) {
  test(`the page of ${kind} opens without a complaint or a request, in both languages, light, dark and on a phone`, async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 800 } }]) {
      const { page, complaints } = await open(address(kind), /** @type {any} */ (options));
      assert.ok((await page.locator("h1.answer:visible").innerText()).length > 10);
      await page.evaluate(axe);
      assert.deepEqual(await violations(page, true), []);
      await page.locator("#switch-language").click();
      assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
      assert.match(await page.locator("h1.answer").innerText(), /[ぁ-ん一-龠]/);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wider <= 0, `${wider} pixels too wide`);
      // Another language has the same colours.
      assert.deepEqual(await violations(page, false), []);
      assert.deepEqual(complaints, []);
      await page.context().close();
    }
  });

  test(`the page of ${kind} prints, and is small without its games`, async () => {
    const { page } = await open(address(kind));
    assert.ok((await page.pdf()).length > 5_000);
    const games = await page.evaluate(() => document.getElementById("games-data")?.textContent?.length ?? 0);
    const size = statSync(join(folder, kind, "report.html")).size - games;
    console.log(`${kind}: ${size} bytes without games`);
    assert.ok(size < 400_000, `${size}`);
    await page.context().close();
  });
}

for (const kind of ["shogi", "chess", "chess960"]) {
  test(`50 games of ${kind} go through the positions that another library finds`, async () => {
    const file = join(folder, kind, "report.html");
    const expected = JSON.parse(execFileSync(python, [join(here, "positions.py"), file], { maxBuffer: 1 << 28 }).toString());
    assert.equal(Object.keys(expected).length, 50);
    const { page, complaints } = await open(address(kind));
    for (const [number, positions] of Object.entries(expected)) {
      const seen = await page.evaluate(async (number) => {
        /** @type {HTMLElement} */ (document.querySelector(`[data-game="${number}"]`)).click();
        const position = () => document.querySelector("svg.board")?.getAttribute("data-position");
        const all = [position()];
        while (!document.getElementById("game-move")?.textContent?.match(/^(\d+) \/ \1( |$)/)) {
          document.getElementById("go-on")?.click();
          all.push(position());
        }
        return all;
      }, number);
      assert.deepEqual(seen, positions, `game ${number}`);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test("keys, the graph and a link go to a move; filters show the games they should", async () => {
  const { page } = await open(`${address("chess")}#game=3&ply=10`);
  const place = async () => Number((await page.locator("#game-move").innerText()).split(" ")[0]);
  assert.equal(await place(), 10);
  await page.locator("#go-on").focus();
  for (const [key, ply] of /** @type {[string, number][]} */ ([
    ["ArrowRight", 11],
    ["ArrowLeft", 10],
    ["Home", 0],
  ])) {
    await page.keyboard.press(key);
    assert.equal(await place(), ply, key);
  }
  const box = await page.locator("svg.scores").boundingBox();
  await page.locator("svg.scores").click({ position: { x: (box?.width ?? 0) - 2, y: 20 } });
  assert.ok((await place()) > 10);
  const shown = async () => Number((await page.locator("#game-count").innerText()).split(" ")[0]);
  assert.equal(await shown(), 50);
  const drawn = await page.evaluate(
    () => JSON.parse(document.getElementById("games-data")?.textContent ?? "").rows.filter((/** @type {any} */ row) => row.w < 0).length,
  );
  await page.locator("#filter-winner").selectOption("-1");
  assert.equal(await shown(), drawn);
  const opening = await page.evaluate(() => JSON.parse(document.getElementById("games-data")?.textContent ?? "").rows[0].o);
  await page.locator("#filter-winner").selectOption("");
  await page.locator("#filter-opening").fill(String(opening));
  assert.equal(await shown(), 2, "the pair of an opening");
  await page.context().close();
});

test("a record that is copied reads back to the same moves", async () => {
  for (const [kind, names] of /** @type {[string, string[]][]} */ ([
    ["shogi", ["KIF", "CSA"]],
    ["chess", ["PGN"]],
  ])) {
    const { page } = await open(`${address(kind)}#game=2`);
    const row = await page.evaluate(() => JSON.parse(document.getElementById("games-data")?.textContent ?? "").rows[1]);
    for (const name of names) {
      await page.locator(`[data-copy="${name}"]`).click();
      const text = await page.locator("#copied").inputValue();
      const file = join(folder, `${kind}.${name.toLowerCase()}`);
      writeFileSync(file, text);
      const plies = row.m.split(" ").length;
      // As a book of one game, without the move that may end it: its last position is the one that the page shows there.
      const out = join(folder, `${name}.out`);
      execFileSync(tanren, ["openings", "dedup", file, "--plies", String(plies - 1), "--game", kind, "--out", out]);
      await page.locator("#go-end").click();
      await page.locator("#go-back").click();
      const end = await page.locator("svg.board").getAttribute("data-position");
      const fields = (/** @type {string} */ position) =>
        position
          .replace(/^(fen|sfen) /, "")
          .split(" ")
          .slice(0, 3)
          .join(" ");
      assert.ok(
        readFileSync(out, "utf8")
          .split("\n")
          .map(fields)
          .includes(fields(end ?? "")),
        name,
      );
    }
    await page.locator('[data-copy="tanren replay"]').click();
    assert.match(await page.locator("#copied").inputValue(), /^tanren replay '.*' --game 2$/);
    await page.context().close();
  }
});

test("a game of Chess960 that is copied names its variant", async () => {
  for (const kind of ["chess", "chess960"]) {
    const { page } = await open(`${address(kind)}#game=2`);
    await page.locator('[data-copy="PGN"]').click();
    const text = await page.locator("#copied").inputValue();
    assert.equal(text.includes('[Variant "Chess960"]'), kind === "chess960");
    await page.context().close();
  }
});

test("a label that is markup stays a text", async () => {
  const { page, complaints } = await open(address("markup"));
  assert.notEqual(await page.title(), "1");
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("h1").innerText()).includes("<script>"));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

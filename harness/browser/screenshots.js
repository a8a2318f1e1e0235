// In: SHOTS_FROM, a folder with the runs `shogi`, `chess` and `live`, which is played; SHOTS_SERVER, where it is served; SHOTS_TO, where the
// pictures go. Out: the pictures of the manual. Run by scripts/screenshots.sh.
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const from = process.env.SHOTS_FROM ?? ".";
const to = process.env.SHOTS_TO ?? ".";
const server = process.env.SHOTS_SERVER ?? "";
const MOST_BYTES = 150_000;
const desk = { width: 900, height: 1000 };
/** @type {(run: string) => string} */
const file = (run) => pathToFileURL(path.resolve(from, run, "report.html")).href;
/** @type {[string, string, any, string?][]} */
const shots = [
  ["page-light", file("chess"), { viewport: desk, colorScheme: "light" }],
  ["page-dark", file("chess"), { viewport: desk, colorScheme: "dark" }],
  ["page-japanese", file("shogi"), { viewport: desk, colorScheme: "light" }, "ja"],
  ["page-phone", file("shogi"), { viewport: { width: 390, height: 900 }, colorScheme: "light" }],
  ["page-board", `${file("shogi")}#game=2&ply=60`, { viewport: desk, colorScheme: "light" }],
  ["serve-list", server, { viewport: { width: 1100, height: 520 }, colorScheme: "light" }],
  ["serve-run", `${server}runs/live/`, { viewport: desk, colorScheme: "light" }],
];

mkdirSync(to, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
for (const [name, address, options, language] of shots) {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(address);
  if (language === "ja") await page.locator("#switch-language").click();
  // What a server counts comes a moment after its page.
  if (address.startsWith("http")) await page.waitForTimeout(4_000);
  const picture = path.join(to, `${name}.png`);
  if (address.includes("#game")) await page.locator("#game-area").screenshot({ path: picture });
  else await page.screenshot({ path: picture });
  const { size } = statSync(picture);
  console.log(`${name}: ${size} bytes`);
  if (size > MOST_BYTES) process.exitCode = 1;
}
await browser.close();

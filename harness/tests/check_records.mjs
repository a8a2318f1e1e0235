// Checks the records of a run with tsshogi, the library of ShogiHome.
//
//     npm install tsshogi
//     tanren report DIR --records csa,kif,kifu
//     node harness/tests/check_records.mjs DIR
//
// Every game must be read in every format, with the moves, the end and the times of games.sfen and games.csv.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "package.json"));
const { Move, SpecialMoveType, importCSA, importKIF } = require("tsshogi");

// What tsshogi calls the end of a game by each reason of games.csv.
const ENDS = {
  no_legal_move: SpecialMoveType.MATE,
  resignation: SpecialMoveType.RESIGN,
  declaration: SpecialMoveType.ENTERING_OF_KING,
  repetition: SpecialMoveType.REPETITION_DRAW,
  time_loss: SpecialMoveType.TIMEOUT,
  max_plies: SpecialMoveType.IMPASS,
};

function fail(message) {
  console.error(`check_records: ${message}`);
  process.exit(1);
}

// Moves in USI, their times in seconds, and the end.
function read(text, importer, name) {
  const record = importer(text);
  if (record instanceof Error) fail(`${name}: ${record}`);
  const nodes = record.moves.slice(1);
  const moves = nodes.filter((node) => node.move instanceof Move);
  const last = nodes.at(-1)?.move;
  return {
    sfen: record.initialPosition.sfen,
    moves: moves.map((node) => node.move.usi),
    seconds: moves.map((node) => Math.floor(node.elapsedMs / 1000)),
    end: last instanceof Move ? undefined : last?.type,
  };
}

const folder = process.argv[2];
const lines = readFileSync(join(folder, "games.sfen"), "utf8").trim().split("\n");
const [head, ...rows] = readFileSync(join(folder, "games.csv"), "utf8").trim().split("\n");
const column = head.split(",").indexOf("reason");
const reasons = rows.map((row) => row.split(",")[column]);
const csa = existsSync(join(folder, "games.csa"))
  ? readFileSync(join(folder, "games.csa"), "utf8").split(/^\/\r?\n/m)
  : [];
const counts = {};
for (const [index, line] of lines.entries()) {
  const number = String(index + 1).padStart(6, "0");
  const texts = [["csa", csa[index], importCSA]];
  for (const [format, encoding] of [["kif", "shift_jis"], ["kifu", "utf-8"]]) {
    const path = join(folder, format, `${number}.${format}`);
    if (existsSync(path)) {
      texts.push([format, new TextDecoder(encoding).decode(readFileSync(path)), importKIF]);
    }
  }
  const played = line.split(" moves ")[1]?.trim().split(/\s+/) ?? [];
  const games = texts.filter(([, text]) => text).map(([format, text, importer]) => {
    const game = read(text, importer, `game ${number}, ${format}`);
    if (game.moves.slice(game.moves.length - played.length).join(" ") !== played.join(" ")) {
      fail(`game ${number}, ${format}: other moves than in games.sfen`);
    }
    const end = ENDS[reasons[index]];
    if (end && game.end !== end) {
      fail(`game ${number}, ${format}: ends by ${game.end} instead of ${end}`);
    }
    counts[format] = (counts[format] ?? 0) + 1;
    return { format, game };
  });
  for (const { format, game } of games.slice(1)) {
    const first = games[0].game;
    if (game.sfen !== first.sfen) fail(`game ${number}, ${format}: another start than in ${games[0].format}`);
    if (game.seconds.join() !== first.seconds.join()) {
      fail(`game ${number}: ${format} and ${games[0].format} have other times`);
    }
  }
}
for (const format of ["csa", "kif", "kifu"]) {
  if (counts[format] !== lines.length) fail(`${format}: ${counts[format] ?? 0} of ${lines.length} games`);
}
console.log(Object.entries(counts).map(([format, games]) => `${format}: ${games} games`).join(", "));

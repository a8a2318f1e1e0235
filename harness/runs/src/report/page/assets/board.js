// @ts-check
// A position as an image, a game's scores as a graph, a game as a record for other programs.
import { Position } from "./position.js";

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const KANJI = { K: "玉", R: "飛", B: "角", G: "金", S: "銀", N: "桂", L: "香", P: "歩" };
/** @type {Record<string, string>} */
const PROMOTED = { R: "龍", B: "馬", S: "全", N: "圭", L: "杏", P: "と" };
/** Names in moves. @type {Record<string, string>} */
const LONG = { R: "龍", B: "馬", S: "成銀", N: "成桂", L: "成香", P: "と" };
/** @type {Record<string, string>} */
const FIGURES = { K: "♚", Q: "♛", R: "♜", B: "♝", N: "♞", P: "♟" };
const NUMERALS = "一二三四五六七八九";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
export function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * What stands on a piece.
 * @param {"shogi" | "chess"} game
 * @param {{ letter: string, promoted: boolean }} piece
 * @param {boolean} letters
 */
function face(game, piece, letters) {
  if (letters) return (piece.promoted ? "+" : "") + piece.letter;
  if (game === "chess") return FIGURES[piece.letter] ?? piece.letter;
  return (piece.promoted ? PROMOTED[piece.letter] : KANJI[piece.letter]) ?? piece.letter;
}

/**
 * The position as an image, the squares of the last move marked.
 * @param {Position} position
 * @param {number[]} marked
 * @param {boolean} letters piece names in Latin letters
 */
export function boardImage(position, marked, letters) {
  const { game, size } = position;
  const cell = 44;
  const side = size * cell;
  const hands = game === "shogi" ? 58 : 0;
  const edge = 20;
  const svg = element("svg", { viewBox: `0 0 ${side + 2 * hands + edge} ${side + edge}`, class: `board ${game}`, role: "img" });
  svg.setAttribute("aria-label", position.toString());
  svg.setAttribute("data-position", position.toString());
  for (let square = 0; square < size * size; square += 1) {
    const [x, y] = [hands + (square % size) * cell, edge + Math.floor(square / size) * cell];
    const shade = game === "chess" && (Math.floor(square / size) + square) % 2 === 1 ? " dark" : "";
    const mark = marked.includes(square) ? " marked" : "";
    svg.append(element("rect", { x, y, width: cell, height: cell, class: `square${shade}${mark}` }));
    const piece = position.squares[square];
    if (piece) svg.append(pieceImage(game, piece, letters, [x + cell / 2, y + cell / 2]));
  }
  for (let index = 0; index < size; index += 1) {
    const file = game === "shogi" ? String(9 - index) : String.fromCharCode(97 + index);
    const rank = game === "shogi" ? NUMERALS[index] : String(8 - index);
    svg.append(element("text", { x: hands + (index + 0.5) * cell, y: edge - 8, class: "edge" }, file));
    svg.append(element("text", { x: hands + side + 10, y: edge + (index + 0.5) * cell, class: "edge" }, rank));
  }
  if (game === "shogi") handImages(svg, position, letters, { cell, side, hands, edge });
  return svg;
}

/**
 * A piece around a point; in shogi on its tile, which points to where it goes.
 * @param {"shogi" | "chess"} game
 * @param {{ letter: string, promoted: boolean, side: 0 | 1 }} piece
 * @param {boolean} letters
 * @param {number[]} at
 */
function pieceImage(game, piece, letters, [x, y]) {
  const turned = game === "shogi" && piece.side === 1 ? " rotate(180)" : "";
  const image = element("g", { transform: `translate(${x} ${y})${turned}` });
  if (game === "shogi") image.append(element("path", { d: "M0-19l12 6 4 31h-32l4-31z", class: "tile" }));
  const kind = `piece side-${piece.side}${piece.promoted ? " promoted" : ""}${letters ? " letter" : ""}`;
  image.append(element("text", { y: game === "shogi" ? 2 : 0, class: kind }, face(game, piece, letters)));
  return image;
}

/**
 * @param {Element} svg
 * @param {Position} position
 * @param {boolean} letters
 * @param {{ cell: number, side: number, hands: number, edge: number }} at
 */
function handImages(svg, position, letters, at) {
  for (const side of [0, 1]) {
    const held = [..."RBGSNLP"].filter((letter) => (position.hands[side][letter] ?? 0) > 0);
    held.forEach((letter, place) => {
      const count = position.hands[side][letter];
      const x = side === 0 ? at.hands + at.side + at.edge + 20 : 22;
      const y = side === 0 ? at.edge + at.side - 22 - place * 42 : at.edge + 22 + place * 42;
      svg.append(pieceImage("shogi", { letter, promoted: false, side: /** @type {0 | 1} */ (side) }, letters, [x, y]));
      if (count > 1) svg.append(element("text", { x: x + 24, y, class: "hand" }, String(count)));
    });
  }
}

/**
 * The scores of both players from the view of Sente or White; a click goes to the move.
 * @param {(number | null)[]} scores
 * @param {string[]} marks of the sides
 * @param {number} begins the side that moves first
 * @param {number} ply moves made
 * @param {(ply: number) => void} go
 */
export function scoreGraph(scores, marks, begins, ply, go) {
  const [width, height] = [1000, 130];
  const frame = element("svg", { class: "scores", role: "img" });
  frame.setAttribute("aria-label", "scores");
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", width: "100%", height: "100%" });
  frame.append(svg);
  marks.forEach((mark, side) => frame.append(element("text", { x: 6, y: side === 0 ? 15 : 88 }, `${mark} +`)));
  const x = (/** @type {number} */ index) => (width * (index + 0.5)) / Math.max(1, scores.length);
  const y = (/** @type {number} */ score) => height / 2 - (height / 2 - 6) * Math.tanh(score / 900);
  svg.append(element("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "zero" }));
  for (const side of [0, 1]) {
    const points = scores
      .map((score, index) => (score === null || (index + begins) % 2 !== side ? "" : `${x(index).toFixed(1)},${y(score).toFixed(1)}`))
      .filter((point) => point !== "");
    svg.append(element("polyline", { points: points.join(" "), class: `score side-${side}` }));
  }
  if (ply > 0) svg.append(element("line", { x1: x(ply - 1), x2: x(ply - 1), y1: 0, y2: height, class: "now" }));
  frame.addEventListener("click", (event) => {
    const box = frame.getBoundingClientRect();
    const click = /** @type {MouseEvent} */ (event);
    const share = (click.clientX - box.left) / box.width;
    go(Math.min(scores.length, Math.max(1, Math.floor(share * scores.length) + 1)));
  });
  return frame;
}

/**
 * A position as KIF draws it.
 * @param {Position} position
 */
function diagram(position) {
  const count = (/** @type {number} */ held) => (held < 2 ? "" : held > 10 ? `十${NUMERALS[held - 11]}` : held === 10 ? "十" : NUMERALS[held - 1]);
  const hand = (/** @type {0 | 1} */ side) => {
    const held = [..."RBGSNLP"].filter((letter) => (position.hands[side][letter] ?? 0) > 0);
    return held.map((letter) => KANJI[letter] + count(position.hands[side][letter])).join("　") || "なし";
  };
  const name = (/** @type {{ letter: string, promoted: boolean }} */ piece) => (piece.promoted ? PROMOTED[piece.letter] : KANJI[piece.letter]) ?? "";
  const rows = [...NUMERALS].map((numeral, rank) => {
    const cells = position.squares.slice(rank * 9, rank * 9 + 9).map((piece) => (piece ? (piece.side === 1 ? "v" : " ") + name(piece) : " ・"));
    return `|${cells.join("")}|${numeral}`;
  });
  const line = `+${"-".repeat(27)}+`;
  return [`後手の持駒：${hand(1)}`, "  ９ ８ ７ ６ ５ ４ ３ ２ １", line, ...rows, line, `先手の持駒：${hand(0)}`, position.side === 0 ? "先手番" : "後手番"];
}

/**
 * A game of shogi in KIF.
 * @param {{ opening: string, moves: string[], names: string[], number: number }} game
 */
export function kif(game) {
  const position = new Position("shogi", game.opening);
  const lines = [
    `#KIF version=2.0 encoding=UTF-8`,
    `先手：${game.names[0]}`,
    `後手：${game.names[1]}`,
    ...diagram(position),
    "手数----指手---------消費時間--",
  ];
  game.moves.forEach((move, index) => {
    const to = position.square(move.slice(2));
    const place = `${"１２３４５６７８９"[8 - (to % 9)]}${NUMERALS[Math.floor(to / 9)]}`;
    const from = move[1] === "*" ? null : position.square(move);
    const piece = from === null ? { letter: move[0], promoted: false } : position.squares[from];
    const name = piece ? (piece.promoted ? LONG[piece.letter] : KANJI[piece.letter]) : "";
    const promotes = move.endsWith("+") ? "成" : "";
    const origin = from === null ? "打" : `(${9 - (from % 9)}${Math.floor(from / 9) + 1})`;
    lines.push(`${String(index + 1).padStart(4)} ${place}${name}${promotes}${origin}`);
    position.play(move);
  });
  return lines.join("\n") + "\n";
}

/** @type {Record<string, string>} */
const CSA = { K: "OU", R: "HI", B: "KA", G: "KI", S: "GI", N: "KE", L: "KY", P: "FU" };
/** @type {Record<string, string>} */
const CSA_PROMOTED = { R: "RY", B: "UM", S: "NG", N: "NK", L: "NY", P: "TO" };

/**
 * A game of shogi in CSA.
 * @param {{ opening: string, moves: string[], names: string[] }} game
 */
export function csa(game) {
  const position = new Position("shogi", game.opening);
  const lines = ["V2.2", `N+${game.names[0]}`, `N-${game.names[1]}`];
  const word = (/** @type {{ letter: string, promoted: boolean }} */ piece) => (piece.promoted ? CSA_PROMOTED[piece.letter] : CSA[piece.letter]) ?? "";
  for (let rank = 0; rank < 9; rank += 1) {
    const cells = position.squares.slice(rank * 9, rank * 9 + 9).map((piece) => (piece ? (piece.side === 0 ? "+" : "-") + word(piece) : " * "));
    lines.push(`P${rank + 1}${cells.join("")}`);
  }
  for (const side of [0, 1]) {
    const held = Object.entries(position.hands[side]).flatMap(([letter, count]) => Array(count).fill(`00${CSA[letter]}`));
    if (held.length > 0) lines.push(`P${side === 0 ? "+" : "-"}${held.join("")}`);
  }
  lines.push(position.side === 0 ? "+" : "-");
  const place = (/** @type {number} */ square) => `${9 - (square % 9)}${Math.floor(square / 9) + 1}`;
  for (const move of game.moves) {
    const sign = position.side === 0 ? "+" : "-";
    const from = move[1] === "*" ? "00" : place(position.square(move));
    const to = position.square(move.slice(2));
    position.play(move);
    const piece = position.squares[to];
    lines.push(`${sign}${from}${place(to)}${piece ? word(piece) : ""}`);
  }
  return lines.join("\n") + "\n";
}

/**
 * A game of chess in PGN.
 * @param {{ opening: string, words: string, variant: string | null, names: string[], number: number, winner: 0 | 1 | null }} game
 */
export function pgn(game) {
  const start = new Position("chess", game.opening);
  const [white, black] = game.names;
  const result = game.winner === null ? "1/2-1/2" : game.winner === 0 ? "1-0" : "0-1";
  const tag = (/** @type {string} */ name, /** @type {string} */ value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;
  const tags = [
    tag("Event", "tanren"),
    tag("Site", "?"),
    tag("Date", "????.??.??"),
    tag("Round", String(game.number)),
    tag("White", white),
    tag("Black", black),
    tag("Result", result),
    tag("SetUp", "1"),
    tag("FEN", game.opening),
    ...(game.variant ? [tag("Variant", game.variant)] : []),
  ];
  let { number, side } = start;
  /** @type {string[]} */
  const words = [];
  for (const word of game.words.split(" ").filter((text) => text !== "")) {
    if (side === 0) words.push(`${number}.`);
    else if (words.length === 0) words.push(`${number}...`);
    words.push(word);
    if (side === 1) number += 1;
    side = side === 0 ? 1 : 0;
  }
  return `${tags.join("\n")}\n\n${[...words, result].join(" ")}\n`;
}

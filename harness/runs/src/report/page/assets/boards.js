// @ts-check
// The boards of the games that are being played.
import { Position } from "./position.js";
import { boardImage } from "./board.js";
import { byId, make, said } from "./page.js";

/**
 * @typedef {{ run: string, game: "shogi" | "chess", n: number, players: string[], opening_line: number, opening: string, plies: number,
 *   position: string, last_move: string, clocks_ms: (number | null)[] }} BoardInProgress
 */

export class Boards {
  constructor() {
    /** @type {BoardInProgress[]} */
    this.boards = [];
    document.documentElement.addEventListener("language", () => this.draw());
    document.addEventListener("visibilitychange", () => this.draw());
  }

  /** @param {{ boards: BoardInProgress[] }} value */
  show(value) {
    this.boards = value.boards;
    this.draw();
  }

  draw() {
    const section = byId("boards");
    // Nobody looks at a page that is hidden.
    if (!section || document.hidden) return;
    section.hidden = this.boards.length === 0;
    byId("board-list")?.replaceChildren(...this.boards.map((board) => this.figure(board)));
  }

  /** @param {BoardInProgress} board */
  figure(board) {
    const image = boardImage(new Position(board.game, board.position), this.marked(board), false);
    const names = board.players.map((name, index) => name + this.clock(board.clocks_ms[index] ?? null));
    const title = `${board.n}: ${names[0]} – ${names[1]}`;
    const made = make("figure", { class: "card", "data-game": String(board.n), "data-run": board.run, "data-plies": String(board.plies) });
    const last = board.last_move ? ` (${board.last_move})` : "";
    made.append(image, make("figcaption", {}, title, make("br", {}), said(`move ${board.plies}${last}`, `${board.plies}手目${last}`)));
    return made;
  }

  /** The squares of the last move. @param {BoardInProgress} board */
  marked(board) {
    const squares = new Position(board.game, board.position);
    const words = board.last_move.includes("*") ? [board.last_move.slice(2)] : [board.last_move.slice(0, 2), board.last_move.slice(2, 4)];
    return board.last_move ? words.map((word) => squares.square(word)) : [];
  }

  /** @param {number | null} ms */
  clock(ms) {
    return ms === null ? "" : ` (${(ms / 1_000).toFixed(1)} s)`;
  }
}

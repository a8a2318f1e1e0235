// @ts-check
// Positions of shogi and chess, and moves made on them. What is legal the referee has judged; here a move is only carried out.

/**
 * @typedef {{ letter: string, side: 0 | 1, promoted: boolean }} Piece
 */

/** Squares are numbered from the top left, rank by rank, as they are written. */
export class Position {
  /**
   * @param {"shogi" | "chess"} game
   * @param {string} text SFEN or FEN
   */
  constructor(game, text) {
    this.game = game;
    this.size = game === "shogi" ? 9 : 8;
    /** @type {(Piece | null)[]} */
    this.squares = [];
    /** @type {Record<string, number>[]} what each side holds in hand, by letter */
    this.hands = [{}, {}];
    const fields = text.trim().split(/\s+/);
    this.parseBoard(fields[0] ?? "");
    const first = game === "shogi" ? "b" : "w";
    /** @type {0 | 1} */
    this.side = fields[1] === first ? 0 : 1;
    this.castling = game === "chess" ? (fields[2] ?? "-") : "";
    this.enPassant = game === "chess" ? (fields[3] ?? "-") : "";
    this.halfmoves = game === "chess" ? Number(fields[4] ?? 0) : 0;
    this.number = Number((game === "shogi" ? fields[3] : fields[5]) ?? 1);
    if (game === "shogi") this.parseHands(fields[2] ?? "-");
  }

  /** @param {string} text */
  parseBoard(text) {
    let promoted = false;
    for (const char of text) {
      if (char === "/") continue;
      if (char === "+") {
        promoted = true;
      } else if (char >= "1" && char <= "9") {
        for (let count = Number(char); count > 0; count -= 1) this.squares.push(null);
      } else {
        const letter = char.toUpperCase();
        this.squares.push({ letter, side: char === letter ? 0 : 1, promoted });
        promoted = false;
      }
    }
  }

  /** @param {string} text */
  parseHands(text) {
    if (text === "-") return;
    for (const [, count, char] of text.matchAll(/(\d*)([A-Za-z])/g)) {
      const letter = char.toUpperCase();
      this.hands[char === letter ? 0 : 1][letter] = Number(count || 1);
    }
  }

  /**
   * The number of a square such as `7g` or `e4`.
   * @param {string} text
   */
  square(text) {
    if (this.game === "shogi") return (text.charCodeAt(1) - 97) * 9 + (9 - Number(text[0]));
    return (8 - Number(text[1])) * 8 + (text.charCodeAt(0) - 97);
  }

  /** @param {number} square */
  name(square) {
    const [rank, column] = [Math.floor(square / this.size), square % this.size];
    if (this.game === "shogi") return `${9 - column}${String.fromCharCode(97 + rank)}`;
    return `${String.fromCharCode(97 + column)}${8 - rank}`;
  }

  /**
   * Makes a move and says which squares it is of.
   * @param {string} move
   * @returns {number[]}
   */
  play(move) {
    const changed = this.game === "shogi" ? this.playShogi(move) : this.playChess(move);
    if (this.game === "shogi" || this.side === 1) this.number += 1;
    this.side = this.side === 0 ? 1 : 0;
    return changed;
  }

  /** @param {string} move */
  playShogi(move) {
    const hand = this.hands[this.side];
    if (move[1] === "*") {
      const to = this.square(move.slice(2));
      this.squares[to] = { letter: move[0], side: this.side, promoted: false };
      hand[move[0]] = (hand[move[0]] ?? 0) - 1;
      return [to];
    }
    const [from, to] = [this.square(move), this.square(move.slice(2))];
    const piece = this.squares[from];
    const captured = this.squares[to];
    if (captured) hand[captured.letter] = (hand[captured.letter] ?? 0) + 1;
    this.squares[from] = null;
    if (piece) this.squares[to] = { ...piece, promoted: piece.promoted || move.endsWith("+") };
    return [from, to];
  }

  /** @param {string} move */
  playChess(move) {
    const [from, to] = [this.square(move), this.square(move.slice(2))];
    const piece = this.squares[from];
    if (!piece) return [];
    const target = this.squares[to];
    const castles = piece.letter === "K" && ((target?.letter === "R" && target.side === piece.side) || Math.abs(to - from) === 2);
    const resets = piece.letter === "P" || (target !== null && !castles);
    this.halfmoves = resets ? 0 : this.halfmoves + 1;
    const passed = this.enPassant;
    this.enPassant = "-";
    const rank = Math.floor(from / 8) * 8;
    if (castles) {
      const toRight = to > from;
      const rook = target ? to : this.rookOf(rank, from, toRight);
      this.squares[from] = null;
      this.squares[rook] = null;
      this.squares[rank + (toRight ? 6 : 2)] = piece;
      this.squares[rank + (toRight ? 5 : 3)] = { letter: "R", side: piece.side, promoted: false };
    } else {
      if (piece.letter === "P" && this.name(to) === passed && !target) this.squares[rank + (to % 8)] = null;
      if (piece.letter === "P" && Math.abs(to - from) === 16) this.enPassant = this.name((from + to) / 2);
      this.squares[from] = null;
      this.squares[to] = { ...piece, letter: move.length > 4 ? move[4].toUpperCase() : piece.letter };
    }
    this.loseRights(piece, from, to);
    return [from, to];
  }

  /**
   * The rook that a king castles with where only the king's move is written.
   * @param {number} rank
   * @param {number} from
   * @param {boolean} toRight
   */
  rookOf(rank, from, toRight) {
    const step = toRight ? 1 : -1;
    let rook = toRight ? rank + 7 : rank;
    for (; rook !== from; rook -= step) {
      const piece = this.squares[rook];
      if (piece?.letter === "R" && piece.side === this.side) break;
    }
    return rook;
  }

  /**
   * @param {Piece} piece
   * @param {number} from
   * @param {number} to
   */
  loseRights(piece, from, to) {
    let rights = this.castling;
    const drop = (/** @type {(letter: string) => boolean} */ lost) => {
      rights = [...rights].filter((letter) => letter === "-" || !lost(letter)).join("");
    };
    const isOf = (/** @type {string} */ letter, /** @type {number} */ side) => (letter === letter.toUpperCase()) === (side === 0);
    if (piece.letter === "K") drop((letter) => isOf(letter, piece.side));
    for (const square of [from, to]) {
      const side = square < 8 ? 1 : square >= 56 ? 0 : -1;
      const column = String.fromCharCode(97 + (square % 8));
      const short = square % 8 === 7 ? "k" : square % 8 === 0 ? "q" : "";
      if (side >= 0) drop((letter) => isOf(letter, side) && [column, short].includes(letter.toLowerCase()));
    }
    this.castling = rights === "" ? "-" : rights;
  }

  /** The board as it is written. */
  board() {
    const rows = [];
    for (let rank = 0; rank < this.size; rank += 1) {
      let row = "";
      let empty = 0;
      for (const piece of this.squares.slice(rank * this.size, (rank + 1) * this.size)) {
        if (!piece) {
          empty += 1;
          continue;
        }
        if (empty > 0) row += empty;
        empty = 0;
        row += (piece.promoted ? "+" : "") + (piece.side === 0 ? piece.letter : piece.letter.toLowerCase());
      }
      rows.push(empty > 0 ? row + empty : row);
    }
    return rows.join("/");
  }

  /** SFEN or FEN. */
  toString() {
    if (this.game === "chess") {
      const side = this.side === 0 ? "w" : "b";
      return `${this.board()} ${side} ${this.castling} ${this.enPassant} ${this.halfmoves} ${this.number}`;
    }
    const hand = (/** @type {0 | 1} */ side) =>
      [..."RBGSNLP"]
        .filter((letter) => (this.hands[side][letter] ?? 0) > 0)
        .map((letter) => {
          const count = this.hands[side][letter];
          return (count > 1 ? String(count) : "") + (side === 0 ? letter : letter.toLowerCase());
        })
        .join("");
    return `${this.board()} ${this.side === 0 ? "b" : "w"} ${hand(0) + hand(1) || "-"} ${this.number}`;
  }
}

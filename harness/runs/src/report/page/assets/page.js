// @ts-check
// What a page does by itself: language, light and dark, the list of games, the board.
import { Position } from "./position.js";
import { boardImage, csa, kif, pgn, scoreGraph } from "./board.js";

/**
 * @typedef {{ n: number, o: number, f: number, s: number, w: number, r: string, p: string, m: string, e: (number | null)[], d: number[], t: string | null, variant: string | null, v: Record<string, string> }} Game
 * @typedef {{ game: "shogi" | "chess", labels: string[], counted: number, from: number, to: number, folder: string, reasons: Record<string, string[]>, rows: Game[] }} Games
 */

const SHOWN_STEP = 200;

/** @param {string} id */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * A text in the language of the page.
 * @param {string} en
 * @param {string} ja
 */
export function said(en, ja) {
  return document.documentElement.lang === "ja" ? ja : en;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(string | Node)[]} content
 */
export function make(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** Says what has no text of its own in the language of the page. */
export function nameInLanguage() {
  for (const named of document.querySelectorAll("[data-en]")) {
    const name = said(named.getAttribute("data-en") ?? "", named.getAttribute("data-ja") ?? "");
    if (named instanceof HTMLOptionElement) named.textContent = name;
    else named.setAttribute("aria-label", name);
  }
}

function beginSwitches() {
  const root = document.documentElement;
  nameInLanguage();
  root.addEventListener("language", nameInLanguage);
  byId("switch-language")?.addEventListener("click", () => {
    root.lang = root.lang === "ja" ? "en" : "ja";
    root.dispatchEvent(new Event("language"));
  });
  byId("switch-theme")?.addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });
}

/** The list of games, its filters and the board. */
export class Viewer {
  /** @param {Games} games */
  constructor(games) {
    this.games = games;
    this.shown = SHOWN_STEP;
    /** @type {Game | null} */
    this.game = null;
    this.ply = 0;
    this.letters = false;
    this.filter = { winner: "", reason: "", opening: "", number: "", least: "", most: "" };
    addEventListener("hashchange", () => this.fromAddress());
    document.documentElement.addEventListener("language", () => this.draw());
    byId("game-board")?.addEventListener("keydown", (event) => this.onKey(event));
    this.fromAddress();
    this.openFirst();
    this.draw();
  }

  /** The first game stands on the board at its end until another is chosen. */
  openFirst() {
    const game = this.games.rows[0];
    if (!this.game && game) [this.game, this.ply] = [game, game.m === "" ? 0 : game.m.split(" ").length];
  }

  /** A link may ask for the games of an opening or for one game and move. */
  fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const opening = asked.get("opening");
    if (opening !== null) {
      this.filter = { winner: "", reason: "", opening, number: "", least: "", most: "" };
      this.draw();
      byId("games")?.scrollIntoView();
    }
    const number = Number(asked.get("game") ?? 0);
    const game = this.games.rows.find((row) => row.n === number);
    if (game) this.open(game, Number(asked.get("ply") ?? 0));
  }

  draw() {
    this.drawFilters();
    this.drawList();
    this.drawBoard();
  }

  /** Why a game ended, in words. @param {string} name */
  reason(name) {
    const [en, ja] = this.games.reasons[name] ?? [];
    return said(en ?? name, ja ?? name);
  }

  /** Who won, with the mark of the side. @param {Game} game */
  result(game) {
    return game.w < 0 ? said("drawn", "引き分け") : `${this.sides()[game.w === game.f ? 0 : 1]} ${this.short(game.w)}`;
  }

  /** What a player is called in the list: `x=off` where another one is `base` and it is `base,x=off`. @param {number} player */
  short(player) {
    const label = this.games.labels[player] ?? "";
    const base = this.games.labels.find((other) => label.startsWith(`${other},`));
    return base === undefined ? label : label.slice(base.length + 1);
  }

  /** Marks of the sides: of shogi, of chess. */
  sides() {
    return this.games.game === "shogi" ? ["▲", "△"] : ["○", "●"];
  }

  /** The sides by name. */
  sideNames() {
    return this.games.game === "shogi" ? [said("▲ Sente", "▲ 先手"), said("△ Gote", "△ 後手")] : [said("○ White", "○ 白"), said("● Black", "● 黒")];
  }

  drawFilters() {
    const filters = byId("game-filters");
    if (!filters) return;
    const filter = this.filter;
    const changed = (/** @type {keyof typeof filter} */ key) => (/** @type {Event} */ event) => {
      filter[key] = /** @type {HTMLInputElement} */ (event.target).value;
      this.shown = SHOWN_STEP;
      this.drawList();
    };
    const choice = (/** @type {"winner" | "reason"} */ key, /** @type {string} */ name, /** @type {[string, string][]} */ options) => {
      const select = make("select", { id: `filter-${key}` });
      for (const [value, text] of [["", said("all", "すべて")], ...options]) {
        select.append(make("option", value === filter[key] ? { value, selected: "" } : { value }, text));
      }
      select.addEventListener("change", changed(key));
      return make("label", {}, name, select);
    };
    const field = (/** @type {"opening" | "number" | "least" | "most"} */ key, /** @type {string} */ name) => {
      const input = make("input", { id: `filter-${key}`, type: "number", min: "0", value: filter[key] });
      input.addEventListener("input", changed(key));
      return make("label", {}, name, input);
    };
    const reasons = [...new Set(this.games.rows.map((game) => game.r))].sort();
    const winners = this.games.labels.map((label, index) => /** @type {[string, string]} */ ([String(index), label]));
    filters.replaceChildren(
      choice("winner", said("won by", "勝者"), [...winners, ["-1", said("drawn", "引き分け")]]),
      choice(
        "reason",
        said("ended by", "終局理由"),
        reasons.map((reason) => [reason, this.reason(reason)]),
      ),
      field("opening", said("opening", "開始局面")),
      field("number", said("game", "番号")),
      field("least", said("moves from", "手数（下限）")),
      field("most", said("to", "手数（上限）")),
    );
  }

  filtered() {
    const { winner, reason, opening, number, least, most } = this.filter;
    return this.games.rows.filter((game) => {
      const plies = game.m === "" ? 0 : game.m.split(" ").length;
      return (
        (winner === "" || game.w === Number(winner)) &&
        (reason === "" || game.r === reason) &&
        (opening === "" || game.o === Number(opening)) &&
        (number === "" || game.n === Number(number)) &&
        (least === "" || plies >= Number(least)) &&
        (most === "" || plies <= Number(most))
      );
    });
  }

  drawList() {
    const list = byId("game-list");
    if (!list) return;
    const games = this.filtered();
    const columns = ["", "wide", "nowrap", "wide", "number"];
    const rows = games.slice(0, this.shown).map((game) => {
      const button = make("button", { type: "button", "data-game": String(game.n) }, `${game.n}`);
      button.addEventListener("click", () => this.open(game, 0));
      const plies = game.m === "" ? 0 : game.m.split(" ").length;
      const [first, second] = [game.f, game.s].map((player) => this.short(player));
      const cells = [first, second, this.result(game), this.reason(game.r), String(plies)];
      const row = make("tr", { "aria-selected": String(game === this.game) }, make("td", {}, button));
      row.append(...cells.map((text, column) => make("td", { class: columns[column] ?? "" }, text)));
      return row;
    });
    const names = [...this.sideNames(), said("won by", "勝者"), said("ended by", "終局理由"), said("moves", "手数")];
    const head = make("tr", {}, make("th", { scope: "col" }, said("game", "番号")));
    head.append(...names.map((name, column) => make("th", { scope: "col", class: columns[column] ?? "" }, name)));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
    const count = make("p", { class: "note", id: "game-count", role: "status" }, said(`${games.length} games`, `${games.length}局`));
    list.replaceChildren(count, table);
    if (games.length > this.shown) {
      const more = make("button", { type: "button" }, said("more", "さらに表示"));
      more.addEventListener("click", () => {
        this.shown += SHOWN_STEP;
        this.drawList();
      });
      list.append(more);
    }
  }

  /**
   * @param {Game} game
   * @param {number} ply
   */
  open(game, ply) {
    this.game = game;
    for (const row of document.querySelectorAll("#game-list tbody tr"))
      row.setAttribute("aria-selected", String(row.querySelector("button")?.dataset.game === String(game.n)));
    this.go(ply);
  }

  moves() {
    return this.game && this.game.m !== "" ? this.game.m.split(" ") : [];
  }

  /** @param {number} ply */
  go(ply) {
    this.ply = Math.min(Math.max(0, ply), this.moves().length);
    this.drawBoard();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.moves().length };
    const place = places[event.key];
    if (place === undefined || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
    this.go(place);
    byId(focused)?.focus();
  }

  drawBoard() {
    const area = byId("game-board");
    if (!area) return;
    const game = this.game;
    if (!game) {
      area.replaceChildren(make("p", { class: "note" }, said("Choose a game.", "対局を選んでください。")));
      return;
    }
    const position = new Position(this.games.game, game.p);
    const begins = position.side;
    const moves = this.moves();
    /** @type {number[]} */
    let marked = [];
    for (const move of moves.slice(0, this.ply)) marked = position.play(move);
    const names = [game.f, game.s].map((player) => this.games.labels[player] ?? "");
    const [first, second] = this.sides();
    const title = said(`Game ${game.n} · ${first} ${names[0]} – ${second} ${names[1]}`, `第${game.n}局 · ${first} ${names[0]} – ${second} ${names[1]}`);
    area.replaceChildren(
      make("h3", {}, `${title} `, make("small", {}, said(`opening ${game.o}`, `開始局面 ${game.o}`))),
      boardImage(position, marked, this.letters),
      this.controls(moves),
      make("p", { class: "note", id: "game-move", role: "status" }, this.moveText(game, moves)),
      make("h3", {}, said("Evaluation ", "評価値 "), make("small", {}, said(`from the view of ${this.sideNames()[0]}`, `${this.sideNames()[0]}から見た値`))),
      scoreGraph(game.e, this.sides(), begins, this.ply, (ply) => this.go(ply)),
      this.legend(names),
      this.copies(game, moves, names, position),
    );
  }

  /** @param {string[]} names */
  legend(names) {
    const items = names.map((name, side) => {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("class", side === 0 ? "c-accent" : "c-b");
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", "M0 5H18");
      line.setAttribute("class", "line");
      svg.append(line);
      return make("li", {}, svg, name);
    });
    return make("ul", { class: "legend" }, ...items);
  }

  /** @param {string[]} moves */
  controls(moves) {
    /** @type {[string, string, string, number][]} */
    const buttons = [
      ["go-start", "«", said("start", "最初"), 0],
      ["go-back", "‹", said("back", "戻る"), this.ply - 1],
      ["go-on", "›", said("on", "進む"), this.ply + 1],
      ["go-end", "»", said("end", "最後"), moves.length],
    ];
    const row = make("p", { class: "controls" });
    for (const [id, sign, name, ply] of buttons) {
      const button = make("button", { type: "button", id, "aria-label": name, title: name }, sign);
      button.addEventListener("click", () => {
        this.go(ply);
        byId(id)?.focus();
      });
      row.append(button);
    }
    const names = make("button", { type: "button", id: "piece-names" }, said("piece names", "駒の表示"));
    names.addEventListener("click", () => {
      this.letters = !this.letters;
      this.drawBoard();
      byId("piece-names")?.focus();
    });
    row.append(names);
    return row;
  }

  /**
   * @param {Game} game
   * @param {string[]} moves
   */
  moveText(game, moves) {
    const place = `${this.ply} / ${moves.length}`;
    if (this.ply === 0) return place;
    const score = game.e[this.ply - 1];
    const value =
      score === null || score === undefined
        ? ""
        : Math.abs(score) > 99_999
          ? ` #${Math.sign(score) * (200_000 - Math.abs(score))}`
          : ` ${(score / 100).toFixed(2)}`;
    const depth = game.d[this.ply - 1];
    const end = this.ply === moves.length ? ` – ${this.reason(game.r)}, ${this.result(game)}` : "";
    const expected = game.v[String(this.ply - 1)];
    const after = expected ? `  → ${expected}` : "";
    return `${place}  ${moves[this.ply - 1]}${value}${depth ? ` (${said("depth", "深さ")} ${depth})` : ""}${after}${end}`;
  }

  /**
   * @param {Game} game
   * @param {string[]} moves
   * @param {string[]} names
   * @param {Position} position
   */
  copies(game, moves, names, position) {
    const isShogi = this.games.game === "shogi";
    const record = { opening: game.p, moves, names, number: game.n };
    /** @type {[string, () => string][]} */
    const kinds = [
      [isShogi ? "SFEN" : "FEN", () => position.toString()],
      ...(isShogi
        ? /** @type {[string, () => string][]} */ ([
            ["KIF", () => kif(record)],
            ["CSA", () => csa(record)],
          ])
        : /** @type {[string, () => string][]} */ ([
            ["PGN", () => pgn({ ...record, words: game.t ?? "", variant: game.variant, winner: game.w < 0 ? null : game.w === game.f ? 0 : 1 })],
          ])),
      ["tanren replay", () => `tanren replay '${this.games.folder.replaceAll("'", "'\\''")}' --game ${game.n}`],
    ];
    const row = make("p", { class: "controls" }, said("copy ", "コピー "));
    for (const [name, text] of kinds) {
      const button = make("button", { type: "button", "data-copy": name }, name);
      button.addEventListener("click", () => this.copy(text()));
      row.append(button);
    }
    const area = make("textarea", { id: "copied", hidden: "", rows: "3", readonly: "", "aria-label": said("copied text", "コピーした内容") });
    return make("div", {}, row, area);
  }

  /** @param {string} text */
  copy(text) {
    const area = /** @type {HTMLTextAreaElement | null} */ (byId("copied"));
    if (!area) return;
    area.hidden = false;
    area.value = text;
    area.select();
    // A page of a file may not be allowed to; the text stands selected all the same.
    navigator.clipboard?.writeText(text).catch(() => undefined);
  }
}

beginSwitches();
const data = byId("games-data");
if (data) new Viewer(JSON.parse(data.textContent ?? "{}"));

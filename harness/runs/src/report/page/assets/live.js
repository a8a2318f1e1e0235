// @ts-check
// A page that a server gives: it follows its run, takes games page by page, and comes back by itself.
import { Boards } from "./boards.js";
import { Viewer, byId, make, nameInLanguage, said } from "./page.js";

const PAGE_GAMES = 200;
/** Pages that are looked through for what a filter asks, before somebody asks for more. */
const PAGES_SEARCHED = 25;

/** The list of games of a run that is asked for page by page. */
class PagedViewer extends Viewer {
  /**
   * @param {import("./page.js").Games} games
   * @param {string} address
   */
  constructor(games, address) {
    super(games);
    this.address = address;
    this.isLoading = false;
    this.asked = "";
    /** The number that was looked for last: the run may have no such game. */
    this.sought = 0;
    this.budget = 0;
    /** Places that were asked for: numbers have gaps in a shard, and where each opening has one game. @type {Set<number>} */
    this.places = new Set();
    this.know(games);
    this.fromAddress();
    this.drawList();
  }

  /** @param {import("./page.js").Games} page */
  know(page) {
    for (let place = page.from; place < page.to; place += 1) this.places.add(place);
  }

  /**
   * Takes the games from a place or a number; `last` those at the end.
   * @param {string} asked
   */
  async load(asked) {
    if (!this.address || this.isLoading) return;
    this.isLoading = true;
    try {
      const answer = await fetch(`${this.address}?${asked}&count=${PAGE_GAMES}`);
      if (!answer.ok) return;
      const page = await answer.json();
      this.know(page);
      const known = new Map(this.games.rows.map((row) => [row.n, row]));
      const reasons = (/** @type {{ r: string }[]} */ rows) => new Set(rows.map((row) => row.r)).size;
      const before = reasons(this.games.rows);
      for (const row of page.rows) known.set(row.n, row);
      this.games.rows = [...known.values()].sort((one, two) => one.n - two.n);
      this.games.counted = page.counted;
      // A reason that was not seen before can be asked for.
      if (reasons(this.games.rows) !== before && !byId("game-filters")?.contains(document.activeElement)) this.drawFilters();
    } finally {
      this.isLoading = false;
    }
    this.drawList();
  }

  /** @param {number} number */
  async need(number) {
    if (!this.games.rows.some((row) => row.n === number)) await this.load(`number=${number}`);
  }

  fromAddress() {
    const number = Number(new URLSearchParams(location.hash.slice(1)).get("game") ?? 0);
    if (number > 0) this.need(number).then(() => super.fromAddress());
    else super.fromAddress();
  }

  drawList() {
    super.drawList();
    const list = byId("game-list");
    if (!list || !this.address) return;
    const wanted = Number(this.filter.number);
    if (wanted > 0 && !this.isLoading && wanted !== this.sought) {
      this.sought = wanted;
      this.need(wanted);
    }
    let next = 0;
    while (this.places.has(next)) next += 1;
    if (next >= this.games.counted) return;
    this.search(next);
    const loaded = this.games.rows.length;
    const text = said(`${loaded} of ${this.games.counted} games are loaded`, `${this.games.counted}局のうち${loaded}局を読み込み済み`);
    const more = make("button", { type: "button", id: "load-games" }, said("load more", "さらに読み込む"));
    more.addEventListener("click", () => {
      this.budget = PAGES_SEARCHED;
      this.load(`from=${next}`);
    });
    list.append(make("p", { class: "note" }, text, " ", more));
  }

  /**
   * Looks through further pages while a filter has found fewer games than the list shows.
   * @param {number} from place of the first game that is not loaded
   */
  search(from) {
    const asked = JSON.stringify(this.filter);
    if (asked !== this.asked) [this.asked, this.budget] = [asked, PAGES_SEARCHED];
    const isFiltered = Object.entries(this.filter).some(([key, value]) => value !== "" && key !== "number");
    if (!isFiltered || this.isLoading || this.budget === 0 || this.filtered().length >= this.shown) return;
    this.budget -= 1;
    this.load(`from=${from}`);
  }

  async showNewest() {
    await this.load("last=1");
    const newest = this.games.rows.at(-1);
    if (newest && newest.n !== this.game?.n) this.open(newest, Infinity);
  }
}

/** Follows a run: fetches what changed and puts it in the place of what stood there. */
class Follower {
  /** @param {HTMLElement} state */
  constructor(state) {
    this.state = state;
    const path = (state.dataset.run ?? "").split("/").map(encodeURIComponent).join("/");
    const base = state.dataset.base ?? "/";
    this.places = {
      events: `${base}live/${path}`,
      fragment: `${base}fragment/${path}`,
      games: `${base}api/v1/runs/${path}/games`,
    };
    /** @type {PagedViewer | null} */
    this.viewer = null;
    this.version = "";
    this.shown = "";
    this.isBusy = false;
    this.changed = 0;
    this.isConnected = false;
    this.boards = new Boards();
    document.documentElement.addEventListener("language", () => this.say());
    byId("follow")?.addEventListener("change", () => this.follow());
    this.beginGames();
    this.listen();
  }

  async beginGames() {
    if (!byId("games") || this.viewer) return;
    try {
      const answer = await fetch(`${this.places.games}?from=0&count=${PAGE_GAMES}`);
      if (answer.ok) this.viewer = new PagedViewer(await answer.json(), this.places.games);
    } catch {
      // The server is away; the next change tries again.
    }
  }

  listen() {
    const events = new EventSource(this.places.events);
    events.addEventListener("change", (event) => {
      const change = JSON.parse(/** @type {MessageEvent} */ (event).data);
      this.isConnected = true;
      this.changed = change.time_ms;
      this.version = change.version;
      this.say();
      this.take();
    });
    events.addEventListener("boards", (event) => this.boards.show(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    events.addEventListener("open", () => {
      this.isConnected = true;
      this.say();
    });
    events.addEventListener("error", () => {
      this.isConnected = false;
      // What goes on now nobody knows.
      this.boards.show({ boards: [] });
      this.say();
      // A browser tries again after a lost connection, but not after an answer that is none.
      if (events.readyState === EventSource.CLOSED) setTimeout(() => this.listen(), 3_000);
    });
  }

  say() {
    const when = this.changed ? new Date(this.changed).toLocaleTimeString(document.documentElement.lang) : "–";
    this.state.dataset.connected = String(this.isConnected);
    this.state.textContent = this.isConnected
      ? said(`following; last change ${when}`, `自動更新中。最終更新 ${when}`)
      : said(`the server is away; last change ${when}`, `サーバーに接続できません。最終更新 ${when}`);
  }

  async take() {
    if (this.isBusy || this.version === this.shown) return;
    this.isBusy = true;
    const version = this.version;
    try {
      const answer = await fetch(this.places.fragment);
      if (!answer.ok) return;
      this.swap(await answer.text());
      this.shown = version;
      await this.beginGames();
      await this.follow();
    } catch {
      // The next event tries again.
    } finally {
      this.isBusy = false;
    }
    if (this.version !== version) this.take();
  }

  /** @param {string} text */
  swap(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const open = [...document.querySelectorAll("#details details[open]")].map((details) => details.id);
    const places = [...document.querySelectorAll("#content .scroll")].map((scroll) => scroll.scrollLeft);
    for (const id of ["answer", "content", "details"]) {
      const part = fresh.getElementById(id);
      if (part) byId(id)?.replaceWith(part);
    }
    nameInLanguage();
    for (const id of open) byId(id)?.setAttribute("open", "");
    document.querySelectorAll("#content .scroll").forEach((scroll, index) => {
      scroll.scrollLeft = places[index] ?? 0;
    });
  }

  async follow() {
    const box = /** @type {HTMLInputElement | null} */ (byId("follow"));
    if (box?.checked) await this.viewer?.showNewest();
  }
}

const liveState = byId("live-state");
if (liveState) new Follower(liveState);

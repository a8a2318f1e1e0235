// @ts-check
// The list of runs follows them all.
import { byId, nameInLanguage, said } from "./page.js";

/** @param {HTMLElement} state */
function followRuns(state) {
  const events = new EventSource("events");
  let isBusy = false;
  let version = "";
  let shown = "";
  const take = async () => {
    if (isBusy || version === shown) return;
    // A button that is about to be pressed must not be replaced.
    if (byId("runs")?.contains(document.activeElement) && document.activeElement instanceof HTMLButtonElement) return;
    isBusy = true;
    const taken = version;
    try {
      const answer = await fetch(location.href);
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const runs = fresh.getElementById("runs");
      if (runs) byId("runs")?.replaceWith(runs);
      nameInLanguage();
      shown = taken;
    } catch {
      // The next event tries again.
    } finally {
      isBusy = false;
    }
    if (version !== taken) take();
  };
  events.addEventListener("change", (event) => {
    const change = JSON.parse(/** @type {MessageEvent} */ (event).data);
    version = change.version;
    const when = new Date(change.time_ms).toLocaleTimeString(document.documentElement.lang);
    state.textContent = said(`following; last change ${when}`, `自動更新中。最終更新 ${when}`);
    take();
  });
  document.addEventListener("runs", () => {
    shown = "";
    take();
  });
  events.addEventListener("error", () => {
    state.textContent = said("the server is away", "サーバーに接続できません");
    if (events.readyState === EventSource.CLOSED) setTimeout(() => followRuns(state), 3_000);
  });
}

const filters = /** @type {HTMLFormElement | null} */ (byId("filters"));
/** Asks for the list that the fields describe. */
function askForRuns() {
  if (!filters) return;
  const asked = [...new FormData(filters)].filter(([, value]) => value !== "");
  location.search = new URLSearchParams(/** @type {[string, string][]} */ (asked)).toString();
}
filters?.addEventListener("submit", (event) => {
  event.preventDefault();
  askForRuns();
});
filters?.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement) askForRuns();
});

const indexState = byId("live-state");
if (indexState) followRuns(indexState);

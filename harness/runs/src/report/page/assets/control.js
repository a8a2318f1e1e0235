// @ts-check
// What a page may do to runs, where its server lets it.
import { byId, make, said } from "./page.js";

/**
 * Sends a wish that a page of another site could not send.
 * @param {string} address
 * @param {object} [body]
 * @returns {Promise<any>} what came of it, or `{ error }`
 */
async function wish(address, body = {}) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", "x-tanren": "1" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : { error: text };
  } catch (error) {
    return { error: String(error) };
  }
}

/** @param {HTMLElement} place */
function beginControl(place) {
  const path = (place.dataset.run ?? "").split("/").map(encodeURIComponent).join("/");
  const address = `${place.dataset.base ?? "/"}api/v1/control/${path}`;
  const buttons = /** @type {HTMLButtonElement[]} */ ([...place.querySelectorAll("[data-wish]")]);
  const look = async () => {
    try {
      const answer = await fetch(address);
      if (!answer.ok) return;
      const { may, why } = await answer.json();
      for (const button of buttons) button.disabled = !may.includes(button.dataset.wish);
      const line = byId("control-said");
      if (why && line) line.textContent = why;
    } catch {
      // The server is away.
      for (const button of buttons) button.disabled = true;
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      const name = button.dataset.wish ?? "";
      if (name === "stop" && !confirm(said("Stop this run? Its games are kept.", "この実行を停止しますか。終わった対局は残ります。"))) return;
      button.disabled = true;
      const answer = await wish(`${address}/${name}`);
      const line = byId("control-said");
      if (line) line.textContent = answer.error ?? said("asked", "依頼しました");
      await look();
    });
  }
  look();
  setInterval(look, 2_000);
}

/** @param {HTMLFormElement} form */
function beginQueue(form) {
  const line = byId("queue-line");
  const goOn = byId("queue-resume");
  const complaint = byId("queue-said");
  /** @param {any} queue */
  const show = (queue) => {
    if (!line || queue.error) return;
    const waiting = queue.waiting.map((/** @type {string} */ name) => {
      const button = make("button", { type: "button", "data-take-out": name }, said("take out", "取り消す"));
      button.addEventListener("click", async () => show(await wish(`api/v1/control/${encodeURIComponent(name)}/stop`)));
      return make("span", { class: "waiting" }, name, " ", button, " ");
    });
    const failed = Object.entries(queue.failures).map(([name, why]) => make("span", { class: "failed" }, `${name}: ${why} `));
    line.replaceChildren(
      said("playing: ", "実行中: "),
      queue.playing ?? "–",
      said("; waiting: ", "。待機: "),
      ...(waiting.length ? waiting : ["–"]),
      queue.is_held ? said("; held", "。保留中") : "",
      ...(failed.length ? [said("; failed: ", "。失敗: "), ...failed] : []),
    );
    if (goOn) goOn.hidden = !queue.is_held;
  };
  const look = async () => {
    // A button that is about to be pressed must not be replaced.
    if (line?.contains(document.activeElement)) return;
    try {
      const answer = await fetch("api/v1/queue");
      if (answer.ok) show(await answer.json());
    } catch {
      // The server is away; the next look tries again.
    }
  };
  goOn?.addEventListener("click", async () => show(await wish("api/v1/control/resume")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const answer = await wish("api/v1/queue", { name: data.get("name"), text: data.get("text") });
    if (complaint) {
      complaint.hidden = !answer.error;
      complaint.textContent = answer.error ?? "";
    }
    if (!answer.error) form.reset();
    show(answer);
  });
  look();
  setInterval(look, 2_000);
}

const controlPlace = byId("control");
if (controlPlace) beginControl(controlPlace);
const queueForm = /** @type {HTMLFormElement | null} */ (byId("queue-form"));
if (queueForm) beginQueue(queueForm);

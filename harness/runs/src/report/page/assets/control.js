// @ts-check
// What a page may do to runs, where its server lets it.
import { byId, said } from "./page.js";

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
      if (line) line.textContent = answer.error ?? said("asked", "受け付けました");
      await look();
    });
  }
  look();
  setInterval(look, 2_000);
}

/**
 * A text as TOML has it: its basic strings hold what those of JSON do.
 * @param {FormDataEntryValue | null} value
 */
function quoted(value) {
  return JSON.stringify(String(value ?? "")).replaceAll("\u007f", "\\u007f");
}

/** The run.toml that the fields ask for. @param {FormData} data */
function runFile(data) {
  const limit = String(data.get("limit"));
  const amount = String(data.get("amount")).trim();
  const number = /^\d+$/.test(amount) && limit !== "tc";
  const lines = [
    'command = "match"',
    `game = ${quoted(data.get("game"))}`,
    `a = ${quoted(data.get("a"))}`,
    `b = ${quoted(data.get("b"))}`,
    `${limit} = ${number ? amount : quoted(amount)}`,
    data.get("sprt") ? `sprt = ${quoted(data.get("sprt"))}` : "",
    `pairs = ${Number(data.get("pairs"))}`,
    data.get("openings") ? `openings = ${quoted(data.get("openings"))}` : "",
  ];
  return lines.filter((line) => line).join("\n") + "\n";
}

/** @param {HTMLFormElement} form */
function beginForm(form) {
  const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
  const complaint = byId("queue-said");
  /** @param {string} why */
  const complain = (why) => {
    if (!complaint) return;
    complaint.hidden = !why;
    complaint.textContent = why;
  };
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));
  let isNamed = false;
  const fill = () => {
    const data = new FormData(form);
    text.value = runFile(data);
    const players = ["a", "b"].map((key) => String(data.get(key)).replaceAll(/[^A-Za-z0-9._-]+/g, "-"));
    if (!isNamed) name.value = players.join("-vs-").replace(/^\.+/, "").slice(0, 64);
  };
  form.addEventListener("input", (event) => {
    if (event.target === name) isNamed = name.value !== "";
    else if (event.target !== text) fill();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await wish("api/v1/queue", { name: new FormData(form).get("name"), text: text.value });
    complain(answer.error ?? "");
    if (answer.error) return;
    form.hidePopover();
    form.reset();
    isNamed = false;
    fill();
    document.dispatchEvent(new Event("runs"));
  });
  fill();
  // The list is renewed: its buttons are found when they are pressed.
  document.addEventListener("click", async (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-take-out], [data-queue]");
    if (!(button instanceof HTMLButtonElement)) return;
    button.disabled = true;
    const name = button.dataset.takeOut;
    await wish(name ? `api/v1/control/${name.split("/").map(encodeURIComponent).join("/")}/stop` : "api/v1/control/resume");
    document.dispatchEvent(new Event("runs"));
  });
}

const controlPlace = byId("control");
if (controlPlace) beginControl(controlPlace);
const newRun = /** @type {HTMLFormElement | null} */ (byId("new"));
if (newRun) beginForm(newRun);

import { alikeTogether } from "./alike.js";
import { h, sheet } from "../lib/dom.js";
import { isErased } from "../lib/erased.js";
import { registerStrings, t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatBytes } from "../lib/time.js";
import { exactPayload } from "../lib/payload.js";
import { copyButton } from "./copy-button.js";
import "./wire-exchanges.js";

await registerStrings({ en: () => import("../i18n/en/thread.js"), ja: () => import("../i18n/ja/thread.js") });

const styles = sheet(`
  *, *::before, *::after { box-sizing: border-box; }
  dialog { width: min(720px, 100vw); max-width: 100vw; height: 100dvh; max-height: 100dvh;
    margin: 0 0 0 auto; padding: 0; border: 0; background: var(--fd-bg); color: var(--fd-ink);
    box-shadow: var(--fd-shadow-3); font: 400 var(--fd-text-md) / var(--fd-leading) var(--fd-font); }
  dialog::backdrop { background: var(--fd-scrim); }
  .frame { display: grid; grid-template-rows: auto 1fr; height: 100%; }
  header { display: flex; align-items: center; gap: 12px; padding: 14px 20px;
    border-bottom: 1px solid var(--fd-line); }
  h2 { flex: 1; margin: 0; font-size: var(--fd-text-lg); }
  .body { overflow: auto; padding: 20px; display: grid; gap: 20px; align-content: start; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; margin: 0;
    font-size: var(--fd-text-sm); }
  dt { color: var(--fd-ink-3); }
  dd { margin: 0; overflow-wrap: anywhere; font-family: var(--fd-font-mono); font-size: 0.92em; }
  pre { margin: 0; padding: 14px 16px; overflow: auto; border: 1px solid var(--fd-line);
    border-radius: var(--fd-radius-md); background: var(--fd-bg-sunken);
    font: 400 var(--fd-text-xs) / 1.6 var(--fd-font-mono); white-space: pre-wrap;
    overflow-wrap: anywhere; }
  h3 { margin: 0 0 8px; font-size: var(--fd-text-sm); color: var(--fd-ink-2); }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; }
  button { min-height: 36px; padding: 0 14px; border: 1px solid var(--fd-line-strong);
    border-radius: var(--fd-radius-sm); background: var(--fd-bg-raised); color: inherit;
    font: inherit; font-weight: 500; cursor: pointer; }
  button:hover { background: var(--fd-bg-hover); }
  :focus-visible { outline: 2px solid var(--fd-focus); outline-offset: 2px; }
  .finding { padding: 10px 12px; border-radius: var(--fd-radius-sm);
    background: var(--fd-warn-soft); color: var(--fd-warn); font-size: var(--fd-text-sm); }
  .finding :is(p, ul) { margin: 0; padding: 0; }
  .finding ul { list-style: none; font: 400 var(--fd-text-xs) / 1.6 var(--fd-font-mono); overflow-wrap: anywhere; }
`);

/**
 * The wire details of one message: its bytes, its digest, its warnings, how to repeat it,
 * and the exchanges about it with a provider or a gateway.
 */
export class WireDrawer extends HTMLElement {
  #dialog;
  #exchanges = h("wire-exchanges");
  #steady;
  /** The message on screen; null while the drawer is closed. */
  #shown = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles];
    this.#dialog = h("dialog", { "aria-label": t("thread.wire") });
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#steady = new SteadyList(this.#dialog);
    this.#dialog.addEventListener("close", () => {
      this.#shown = null;
      // A closed drawer requests nothing.
      this.#steady.drawNow(() => []);
    });
    root.append(this.#dialog);
  }

  /** Opens on one message; the exact payload is asked for. @param {any} message */
  async show(message) {
    this.#exchanges.source = {
      business: message.business, conversation: message.conversation, message: message.id,
    };
    this.#shown = message;
    this.#steady.drawNow(() => this.#parts(message, null));
    if (!this.#dialog.open) this.#dialog.showModal();
    const draw = (...found) => { if (this.#shown === message) this.#steady.draw(() => this.#parts(message, ...found)); };
    try {
      draw(await exactPayload(message));
    } catch (problem) {
      draw(null, problem.detail || t("shared.problem.unknown"));
    }
  }

  /** Closes once the content of its message was erased. @param {any[]} messages of the thread */
  follow(messages) {
    const { id, conversation, erasedAt } = this.#shown ?? {};
    if (!id || erasedAt) return;
    if (messages.some((one) => one.id === id && one.conversation === conversation && isErased(one))) this.#dialog.close();
  }

  #parts(message, payload, problem = "") {
    const canRepeat = payload && message.direction === "outbound" && !isErased(message);
    return [h("div", { class: "frame" },
      h("header", null,
        h("h2", null, t("thread.wire")),
        h("button", { type: "button", onClick: () => this.#dialog.close() }, t("shared.close"))),
      h("div", { class: "body", tabindex: "0", role: "region", "aria-label": t("thread.wire") },
        h("dl", null,
          row(t("thread.wireId"), message.id),
          row(t("thread.wireSequence"), String(message.sequence)),
          row(t("thread.wireTime"), message.time),
          row(t("thread.wireOrigin"), [message.origin, message.author?.name].filter(Boolean).join(" · ")),
          payload ? row(t("thread.wireSize"), formatBytes(new Blob([payload]).size)) : null,
          row("SHA-256", message.sha256 ?? "")),
        alikeTogether(message.warnings ?? []).map(({ rule, fix, places }) => h("div", { class: "finding" },
          h("p", null, `${rule}: ${fix}`),
          h("ul", null, places.map(({ pointer, found }) => h("li", null, h("code", null, pointer), " ", found))))),
        problem ? h("p", { class: "finding" }, problem) : null,
        h("section", null,
          h("h3", null, t("thread.wirePayload")),
          h("pre", { tabindex: "0" }, payload ?? t("shared.loading"))),
        canRepeat ? h("section", null,
          h("h3", null, t("thread.wireCurl")),
          h("pre", { tabindex: "0" }, curl(message, payload))) : null,
        payload ? h("div", { class: "actions" },
          copyButton(t("thread.copyPayload"), payload),
          canRepeat
            ? copyButton(t("thread.copyCurl"), curl(message, payload)) : null) : null,
        h("section", null,
          h("h3", null, t("wire.title")),
          this.#exchanges)))];
  }
}

function row(name, value) {
  return [h("dt", null, name), h("dd", null, value)];
}

function curl(message, payload) {
  const quoted = payload.replaceAll("'", "'\\''");
  return [
    `curl ${location.origin}/api/conversations/${message.conversation}/messages \\`,
    "  -H \"Authorization: Bearer $FRONTDESK_KEY\" -H 'Content-Type: application/json' \\",
    `  --data-raw '${quoted}'`,
  ].join("\n");
}

customElements.define("wire-drawer", WireDrawer);

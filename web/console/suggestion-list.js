import "../cards/desk-card.js";
import { attachmentAddress } from "../cards/attachments.js";
import { fallbackText } from "../composer/fallback.js";
import { api } from "../lib/api.js";
import { adopt, h, sheet } from "../lib/dom.js";
import { language, onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { placeNodes } from "../lib/reconcile.js";
import { refusalWords } from "../composer/composer-frame.js";
import { refusalSentence } from "../lib/refusals.js";
import { makeUUID } from "../lib/uuid.js";

await registerStrings({ en: () => import("../i18n/en/assistant.js"), ja: () => import("../i18n/ja/assistant.js") });

const styles = sheet(`
suggestion-list { display: grid; gap: 8px; }
.suggestion { display: grid; gap: 8px; padding: 10px 12px; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-1); }
.suggestion.is-edited { border-color: var(--fd-accent); }
/* What is edited stands in the composer, which needs the place, and is sent from there. */
.suggestion.is-edited :is(.suggestion-card, .is-primary) { display: none; }
.suggestion-head { display: flex; align-items: center; gap: 6px; color: var(--fd-ink-2); font-size: var(--fd-text-xs); line-height: 16px; }
.suggestion-head svg { flex: none; width: 16px; height: 16px; }
.suggestion-head span { min-width: 0; overflow-wrap: anywhere; }
.suggestion-card { display: grid; gap: 8px; max-height: min(30dvh, 260px); padding: 0 2px 4px; overflow-y: auto; }
.suggestion-words { font-size: var(--fd-text-sm); color: var(--fd-ink-2); }
.suggestion-words summary { cursor: pointer; }
.suggestion-words p { margin: 4px 0 0; white-space: pre-line; overflow-wrap: anywhere; color: var(--fd-ink); }
.suggestion-remark { margin: 0; color: var(--fd-ink-2); font-size: var(--fd-text-sm); overflow-wrap: anywhere; }
.suggestion-foot { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.suggestion-foot .fd-button { min-height: 32px; padding: 0 12px; font-size: var(--fd-text-sm); }
.suggestion .fd-error:empty { display: none; }
@media (max-width: 640px) { .suggestion-foot .fd-button { min-height: 44px; } }
`);

/**
 * The answers that are suggested in the open conversation: each is sent, edited or rejected; none is sent by itself.
 *
 * Values down: `suggestions` (of the API), `edited` (the id of the one that the composer was filled with), `assistance`.
 */
class SuggestionList extends HTMLElement {
  /** @type {import("./assistance.js").Assistance} */
  assistance;
  #suggestions = [];
  #edited = null;
  #nodes = new Map();
  /** The id that a suggestion is sent under, the same at each try. */
  #ids = new Map();
  #endLanguage = null;

  connectedCallback() {
    adopt(styles);
    this.#endLanguage ??= onLanguageChange(() => {
      this.#nodes.clear();
      this.#draw();
    });
    this.#draw();
  }

  disconnectedCallback() {
    this.#endLanguage?.();
    this.#endLanguage = null;
  }

  set suggestions(suggestions) {
    this.#suggestions = suggestions;
    this.#draw();
  }

  set edited(id) {
    this.#edited = id;
    this.#draw();
  }

  /** Draws those that are new; the others stay the nodes they were. */
  #draw() {
    const hadFocus = this.contains(document.activeElement);
    const kept = new Map(this.#suggestions.map((one) => [one.id, this.#nodes.get(one.id) ?? this.#make(one)]));
    this.#nodes = kept;
    const nodes = [...kept.values()].map(({ node }) => node);
    placeNodes(this, nodes);
    for (const [id, { node, edit }] of kept) {
      node.classList.toggle("is-edited", id === this.#edited);
      edit.setAttribute("aria-pressed", String(id === this.#edited));
    }
    // The next one is at hand; after the last one the box is.
    if (hadFocus && !this.contains(document.activeElement)) (this.querySelector("button") ?? this.assistance.boxes.composer).focus();
  }

  #make(one) {
    const { assistance } = this;
    const problem = h("p", { class: "fd-error", role: "alert" });
    let isBusy = false;
    const mark = () => { for (const button of foot.querySelectorAll("button")) button.setAttribute("aria-disabled", String(isBusy)); };
    // A button that is disabled would lose the focus of who works by keyboard.
    const attempt = (work) => async () => {
      if (isBusy) return;
      isBusy = true;
      mark();
      problem.textContent = "";
      try {
        await work();
      } catch (refusal) {
        problem.textContent = ["customer_left", "reply_window_over"].includes(refusal.code) ? refusalWords(refusal)
          : refusalSentence(refusal, { suggestion_settled: t("assistant.settled"), answered_meanwhile: t("assistant.answered") });
        if (refusal.code === "suggestion_settled") assistance.read();
      }
      isBusy = false;
      mark();
    };
    const send = h("button", { type: "button", class: "fd-button is-primary", onClick: attempt(() => this.#send(one)) }, t("assistant.send"));
    const edit = h("button", { type: "button", class: "fd-button", "aria-pressed": "false", onClick: () => { if (!isBusy) assistance.edit(one); } }, t("assistant.edit"));
    const reject = h("button", { type: "button", class: "fd-button", onClick: attempt(() => this.#reject(one)) }, t("assistant.reject"));
    const foot = h("div", { class: "suggestion-foot" }, assistance.mayDecide ? [send, edit, reject] : null);
    const name = one.author?.name ?? t("assistant.aProgram");
    const head = one.model ? t("assistant.byModel", { name, model: one.model }) : t("assistant.by", { name });
    const node = h("section", { class: "suggestion", "aria-label": t("assistant.label", { summary: one.summary }), dataset: { id: one.id } },
      h("header", { class: "suggestion-head" }, h("span", null, head)),
      h("div", { class: "suggestion-card", tabindex: "0", role: "group", "aria-label": t("assistant.content") }, h("desk-card", {
        ".perspective": "business", ".direction": "outbound", ".attachments": [],
        ".attachmentUrl": (id) => attachmentAddress(one.conversation, id), ".payload": one.payload,
      }), words(one)),
      one.remark ? h("p", { class: "suggestion-remark" }, one.remark) : null, problem, foot);
    return { node, edit };
  }

  async #send(one) {
    const id = this.#ids.get(one.id) ?? makeUUID();
    this.#ids.set(one.id, id);
    // As of a template: there is no draft, and a colleague's answer that is on screen was seen.
    const query = { ...await this.assistance.queryOf({ anyway: false, isTemplate: true }), suggestion: one.id };
    const text = JSON.stringify({ ...one.payload, id });
    const answer = await api.postText(`/api/conversations/${one.conversation}/messages`, text, { query });
    this.assistance.sent(answer);
    this.assistance.forget(one.conversation, one.id);
    await this.assistance.read();
  }

  async #reject(one) {
    await api.delete(`/api/conversations/${one.conversation}/suggestions/${one.id}`);
    this.assistance.forget(one.conversation, one.id);
    await this.assistance.read();
  }
}
/** All that a card says: who sends it should have read what the card itself shows only when it is opened. */
function words(one) {
  const text = one.kind === "text" ? "" : fallbackText(one.payload, language());
  return text ? h("details", { class: "suggestion-words", open: true }, h("summary", null, t("assistant.words")), h("p", null, text)) : null;
}

customElements.define("suggestion-list", SuggestionList);

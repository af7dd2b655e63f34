import { api } from "../lib/api.js";
import { toolButton } from "../composer/kind-strip.js";
import { icon } from "../composer/icons.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { ReadAgain } from "../lib/read-again.js";
import { may } from "./permissions.js";

/**
 * Suggested answers of the open conversation, and what the operator's model is asked for. What it shows is loaded when there
 * is something to show.
 */
export class Assistance {
  #state;
  #boxes;
  /** The conversation on screen; null for none. */
  #conversation = null;
  #list = null;
  /** The suggestions that are to be shown. */
  #wanted = [];
  /** Which suggestion the composer was filled with, by conversation; `isWritten` once it has its text. */
  #edited = new Map();
  #reading = 0;
  #again = new ReadAgain(() => this.read());
  /** What is said while the model is asked, and about which conversation. */
  #waiting = null;

  /**
   * @param {import("./desk-state.js").DeskState} state
   * @param {{composer: any, note: any, thread: any, startNote: () => void, focusComposer: () => void}} boxes where is written and read;
   *   asked whenever they are used
   * @param {(options: any) => Promise<Record<string, any>>} queryOf what is sent along with a message
   */
  constructor(state, boxes, queryOf) {
    this.#state = state;
    this.#boxes = boxes;
    this.queryOf = queryOf;
    this.button = toolButton(icon("spark"), t("console.assistant"), async () =>
      (await loadPart(() => import("./assistant-menu.js")))?.openAssistantMenu(this.button, this));
    this.button.classList.add("assistant-button");
    this.button.setAttribute("aria-haspopup", "menu");
    this.button.setAttribute("aria-expanded", "false");
    this.button.hidden = true;
    /** Where suggestions stand: above the box. */
    this.wait = h("p", { class: "assistant-wait", role: "status" });
    this.place = h("div", { class: "suggestions", hidden: true }, this.wait);
    state.addEventListener("happened", ({ detail }) => {
      if (detail.conversation !== this.#conversation?.id) return;
      if (detail.type.startsWith("suggestion.")) this.read();
      else if (detail.type === "message.erased") this.#again.ask(detail.conversation);
    });
    state.addEventListener("back", () => this.read());
  }

  get state() { return this.#state; }
  get conversation() { return this.#conversation; }
  get boxes() { return this.#boxes; }

  /** Whether the model may be asked about conversations of a business. */
  mayAsk(business) {
    return Boolean(this.#state.session.assistant) && may(business, "assistant.ask");
  }

  /** Puts a message into the reader's language; null where the model may not be asked. */
  translation(business) {
    return this.mayAsk(business) ? async (message) => (await import("./assistant-menu.js")).translateMessage(message) : null;
  }

  /** A suggestion was sent as it is. @param {any} answer */
  sent(answer) {
    if (answer.scheduled) this.#state.addScheduled(answer.scheduled);
    else this.#state.addMessage(answer);
    this.#boxes.thread.scrollToEnd();
  }

  /** What a toast offers to who hands the conversation over, or has it from now on; undefined where the model may not be asked. */
  summaryOffer() {
    if (!this.#conversation || this.button.hidden) return undefined;
    const { id } = this.#conversation;
    return { action: t("console.summarise"), run: async () => (await loadPart(() => import("./assistant-menu.js")))?.summarise(this.button, this, id) };
  }

  /** Another conversation is on screen. @param {any} conversation @param {any} business */
  open(conversation, business) {
    this.#conversation = conversation;
    this.button.hidden = !this.mayAsk(business);
    this.mayDecide = may(business, "messages.send");
    this.#draw([]);
    this.#showPlace();
    this.read();
  }

  putAway() {
    this.#conversation = null;
    this.#draw([]);
    this.#showPlace();
  }

  /** Reads the suggestions that wait; the last reading counts. */
  async read() {
    const id = this.#conversation?.id;
    if (!id) return;
    const reading = this.#reading += 1;
    // Safe: read again with the next event and when the line is back.
    const page = await api.get(`/api/conversations/${id}/suggestions`).catch(() => null);
    if (!page || reading !== this.#reading || id !== this.#conversation?.id) return;
    const edited = this.#edited.get(id);
    if (edited && !page.data.some((one) => one.id === edited.id)) this.#edited.delete(id);
    this.#draw(page.data);
  }

  async #draw(suggestions) {
    // While the list is loaded, another conversation may come on screen, or what waits here be decided on.
    this.#wanted = suggestions;
    if (!suggestions.length && !this.#list) return;
    if (!this.#list) {
      if (!await loadPart(() => import("./suggestion-list.js"))) return;
      this.#list ??= h("suggestion-list", { ".assistance": this });
      if (!this.#list.isConnected) this.place.append(this.#list);
    }
    this.#list.suggestions = this.#wanted;
    this.#showPlace();
    this.#list.edited = this.#edited.get(this.#conversation?.id)?.id ?? null;
  }

  /** Says that the model is asked about a conversation; with nothing that it no longer is. @param {string} [words] @param {string} [id] */
  sayWaiting(words = "", id = this.#conversation?.id) {
    this.#waiting = words ? { words, id } : null;
    this.#showPlace();
  }

  #showPlace() {
    const words = this.#waiting?.id === this.#conversation?.id ? this.#waiting?.words ?? "" : "";
    if (this.wait.textContent !== words) this.wait.textContent = words;
    this.place.hidden = !words && !this.#list?.children.length;
  }

  /** What a send of the composer says beside the message. @param {{isTemplate?: boolean}} options */
  query({ isTemplate = false }) {
    const edited = this.#edited.get(this.#conversation?.id);
    return edited && !isTemplate ? { suggestion: edited.id } : {};
  }

  /** The composer was filled with a suggestion, and what it sends settles it. @param {any} suggestion */
  edit(suggestion) {
    const edited = this.#edited.get(suggestion.conversation);
    // Pressed again, it leads to what is written already.
    if (edited?.id === suggestion.id && !this.#boxes.composer.current.isBlank) return this.#boxes.focusComposer();
    this.#edited.set(suggestion.conversation, { id: suggestion.id, isWritten: false });
    this.#list.edited = suggestion.id;
    this.#boxes.focusComposer();
    this.#boxes.composer.putBack(suggestion.payload, null);
    this.#boxes.composer.focus();
  }

  /** The composer's draft has changed: where nothing is left of a suggestion, what is sent next is none of it. @param {any} draft */
  noteDraft(draft) {
    const edited = this.#edited.get(this.#conversation?.id);
    if (!edited) return;
    if (draft?.payload) edited.isWritten = true;
    else if (edited.isWritten) this.forget(this.#conversation.id);
  }

  /** What was written of a suggestion was sent, or one was decided on. @param {string} conversation @param {string} [id] of that one alone */
  forget(conversation, id = this.#edited.get(conversation)?.id) {
    if (this.#edited.get(conversation)?.id !== id || !this.#edited.delete(conversation)) return;
    if (this.#list && conversation === this.#conversation?.id) this.#list.edited = null;
  }
}

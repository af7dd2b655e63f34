import { icon as toolIcon } from "../composer/icons.js";
import { api } from "../lib/api.js";
import { adopt, h, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { refusalSentence } from "../lib/refusals.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { may } from "./permissions.js";
import { keyHint } from "./shortcuts.js";

const styles = sheet(`
control-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; padding: 6px 16px; border-bottom: 1px solid var(--fd-line);
  color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
control-bar[hidden] { display: none; }
control-bar.is-bot { background: var(--fd-accent-soft, var(--fd-bg-raised)); color: var(--fd-ink); }
control-bar p { display: flex; flex: 1 1 auto; align-items: center; gap: 6px; min-width: 0; margin: 0; overflow-wrap: anywhere; }
control-bar p svg { flex: none; width: 16px; height: 16px; }
control-bar .fd-button { min-height: 32px; padding: 0 12px; font-size: var(--fd-text-sm); }
@media (max-width: 640px) { control-bar .fd-button { min-height: 44px; } }
`);

/**
 * Who controls the open conversation, in a business that has bots; a person steps in here, or returns it to a bot.
 *
 * Values down: `state`, `conversation`.
 */
class ControlBar extends HTMLElement {
  /** @type {import("./desk-state.js").DeskState} */
  state;
  #conversation = null;
  #control = null;
  #reading = 0;
  #isChanging = false;
  #mark = "";
  /** Whether a button of the bar was pressed and what it leads to is not drawn yet. */
  #isPressed = false;
  #steady = new SteadyList(this, () => this.#drawn());
  #follow = ({ detail }) => {
    if (detail.conversation === this.#conversation?.id && detail.type === "conversation.control_changed") this.read();
  };
  #back = () => this.read();

  connectedCallback() {
    adopt(styles);
    this.hidden = true;
    this.state.addEventListener("happened", this.#follow);
    this.state.addEventListener("back", this.#back);
  }

  disconnectedCallback() {
    this.state.removeEventListener("happened", this.#follow);
    this.state.removeEventListener("back", this.#back);
  }

  set conversation(conversation) {
    const isAnother = conversation.id !== this.#conversation?.id;
    this.#conversation = conversation;
    const bots = this.state.lists.bots(conversation.business);
    if (bots.length && (isAnother || !this.#reading)) this.read();
    this.#draw();
  }

  /** Whether a bot has control. */
  get isBots() {
    return this.#control?.controller?.type === "bot";
  }

  /** Reads who controls it; the last reading counts. */
  async read() {
    const id = this.#conversation?.id;
    if (!id || !this.state.lists.bots(this.#conversation.business).length) return;
    const reading = this.#reading += 1;
    const control = await api.get(`/api/conversations/${id}/control`).catch(() => null);  // Safe: read again with the next event.
    if (!control || reading !== this.#reading || id !== this.#conversation.id) return;
    this.#control = control;
    this.#draw();
  }

  /** The agent has control from now on, where a bot has it. */
  takeOver() {
    return this.isBots ? this.#change({ action: "take" }, this.summaryOffer?.()) : undefined;
  }

  /** The bot has control from now on. A message that waits to be sent would end that. */
  #return(bot) {
    const { open } = this.state;
    const waits = open?.conversation.id === this.#conversation.id && open.scheduled.some((one) => !one.failure);
    return waits ? showToast(t("thread.control.messageWaits")) : this.#change({ action: "pass", to: { type: "bot", id: bot.id } });
  }

  #change(change, summary) {
    // A second press, before the first has its answer, would be refused.
    if (this.#isChanging) return undefined;
    this.#isChanging = true;
    this.#isPressed = this.contains(document.activeElement);
    const { id } = this.#conversation;
    return api.post(`/api/conversations/${id}/control`, change).finally(() => { this.#isChanging = false; }).then((control) => {
      if (id === this.#conversation.id) [this.#control, this.#reading] = [control, this.#reading + 1];
      this.#draw();
      if (summary) showToast(t("console.control.you"), { more: summary });
    }, (problem) => {
      this.#isPressed = false;
      showToast(refusalSentence(problem));
    });
  }

  /** The button in the place of the pressed one does the contrary: a second press of Enter is not meant for it. */
  #drawn() {
    if (this.#isPressed && this.contains(document.activeElement)) this.querySelector("p")?.focus();
    this.#isPressed = false;
  }

  #draw() {
    const { controller, since } = this.#control ?? {};
    const business = this.state.session.businesses.find((one) => one.id === this.#conversation.business);
    const bots = this.state.lists.bots(this.#conversation.business).filter((one) => !one.retired);
    const bot = bots.find((one) => one.first) ?? bots[0];
    const mayHandle = may(business, "conversations.handle");
    const mark = JSON.stringify([this.#conversation.id, controller, since, bot, mayHandle, document.documentElement.lang]);
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#steady.draw(() => this.#parts(bot, mayHandle));
  }

  #parts(bot, mayHandle) {
    const { controller, since } = this.#control ?? {};
    this.hidden = !since;
    this.classList.toggle("is-bot", this.isBots);
    if (!since) return [];
    const who = !controller ? "people" : this.isBots ? "bot" : controller.id === this.state.session.agent.id ? "you" : "other";
    const button = !mayHandle ? null : this.isBots
      ? h("button", { type: "button", class: "fd-button take-over", ...keyHint("takeOver"), onClick: once(() => this.takeOver()) }, t("console.control.take"))
      : bot && h("button", { type: "button", class: "fd-button return-to-bot", onClick: once(() => this.#return(bot)) },
        t("console.control.return", { name: bot.name }));
    return [h("p", { role: "status", tabindex: "-1" }, this.isBots ? toolIcon("spark") : icon("person", 16), h("span", null, t(`console.control.${who}`, { name: controller?.name ?? "" }))), button];
  }
}

/** The second press of a double click is none: by then the button may be another one. @param {() => void} press */
function once(press) {
  return ({ detail }) => { if (detail < 2) press(); };
}

customElements.define("control-bar", ControlBar);

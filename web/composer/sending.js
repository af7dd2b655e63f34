/** Sends the payload of a form: one at a time in a conversation, not over a colleague's answer, and says why it was refused. */
import { ApiProblem, api } from "../lib/api.js";
import { drawAlert, drawGuard } from "./composer-frame.js";

/**
 * `known`: gives the form's message other ids, and says that one of its ids had arrived before with other content; null where the ids are written in it.
 * @typedef {{
 *   parts: () => Record<string, any>, guard: (current?: any) => string|null,
 *   query: (options: {anyway: boolean, sendAt?: string}) => Promise<Record<string, any>>,
 *   known: (form: any) => string|null, accepted: (form: any, answer: any, kept: any) => void, refused: (problem: any, text: string) => void,
 *   failed: (detail: {problem: any, conversation: string, isHere: boolean}) => void, changed: () => void}} Surroundings
 */

export class Sending {
  /** The conversations whose message is on its way. */
  #ids = new Set();
  #around;

  /** @param {Surroundings} around */
  constructor(around) {
    this.#around = around;
  }

  /** Whether a message is on its way in any conversation. */
  get isOnAny() {
    return this.#ids.size > 0;
  }

  /** Whether a message is on its way. @param {string|undefined} conversation */
  isOn(conversation) {
    return this.#ids.has(conversation);
  }

  /**
   * @param {any} form
   * @param {{conversation: string, path: string, text: string, kept?: any, anyway: boolean, sendAt?: string, isHere: () => boolean,
   *   again: (options?: {anyway: boolean}) => void}} message `kept`: the draft that it is, for `accepted`; `sendAt`: when, if not at once; `isHere`: whether its conversation is still on screen;
   *   `again` sends it once more, as a button of a refusal does
   */
  async send(form, { conversation, path, text, kept, anyway, sendAt, isHere, again }) {
    const { guard, query, accepted } = this.#around;
    const { alert } = this.#around.parts();
    const words = anyway ? null : guard();
    if (words) return drawGuard(alert, words, () => again({ anyway: true }));
    alert.hidden = true;
    this.#turn(form, conversation, true);
    try {
      accepted(form, await api.postText(path, text, { query: await query({ anyway, sendAt }) }), kept);
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#around.failed({ problem, conversation, isHere: isHere() });
      if (isHere()) this.#refused(form, problem, text, again);
    } finally {
      this.#turn(form, conversation, false);
    }
  }

  #refused(form, problem, text, again) {
    const { alert } = this.#around.parts();
    const known = problem.code === "idempotency_conflict" ? this.#around.known(form) : null;
    if (known) return drawGuard(alert, known, () => again());
    const words = problem.code === "answered_meanwhile" ? this.#around.guard(problem.body.current) : null;
    if (words) return drawGuard(alert, words, () => again({ anyway: true }));
    this.#around.refused(problem, text);
    drawAlert(alert, problem, () => again());
  }

  #turn(form, conversation, isOn) {
    if (isOn) this.#ids.add(conversation);
    else this.#ids.delete(conversation);
    // Its fields are held as long: what is typed meanwhile would be removed with it.
    form.ariaBusy = String(isOn);
    this.#around.changed();
  }
}

/** Whether a key in one of the fields sends what is written; then it has no other effect. @param {KeyboardEvent} event */
export function takesSendKey(event) {
  const isKey = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing && !event.defaultPrevented;
  // The picker of templates has buttons of its own for what it shows.
  if (!isKey || /** @type {Element} */ (event.target).closest("template-picker, whatsapp-templates")) return false;
  event.preventDefault();
  return true;
}

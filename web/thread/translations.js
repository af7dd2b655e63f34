import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { isErased, summaryOf } from "../lib/erased.js";
import { language, t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";

/** As many are kept while the page is open; the oldest makes room. */
const MOST = 200;

/**
 * What was asked for, by message: its row may be drawn anew at any time, as for the next message of the customer.
 * @type {Map<string, {language: string, words: string, title: string, isWaiting: boolean, element: HTMLElement|null}>}
 */
const asked = new Map();

/** A message in the reader's language, where that was asked for; below it. @param {any} message */
export function translationOf(message) {
  if (isErased(message)) asked.delete(message.id);
  const one = asked.get(message.id);
  if (one?.language !== language()) return null;
  one.element = h("p", { class: "translation", role: "status", lang: one.language, title: one.title }, one.words);
  return one.element;
}

/** Puts a message into the reader's language. @param {any} message @param {(message: any) => Promise<string>} translate */
export function translateButton(message, translate) {
  const button = h("button", {
    type: "button", class: "wire translate", title: t("thread.translate"),
    "aria-label": t("thread.translateOf", { summary: summaryOf(message) || message.kind }),
    onClick: () => whileBusy(button, () => ask(button, message, translate)),
  }, "A文");
  return button;
}

async function ask(button, message, translate) {
  const before = asked.get(message.id);
  const isSame = before?.language === language();
  if (isSame && before.isWaiting) return;
  const one = { language: language(), words: t("thread.translating"), title: "", isWaiting: true, element: isSame ? before.element : null };
  asked.delete(message.id);
  asked.set(message.id, one);
  if (asked.size > MOST) asked.delete(asked.keys().next().value);
  if (one.element?.isConnected) show(one);
  else button.closest(".message").querySelector(".line").after(translationOf(message));
  try {
    one.words = await translate(message);
    one.title = t("thread.translation");
  } catch (problem) {
    one.words = refusalSentence(problem);
  }
  one.isWaiting = false;
  show(one);
}

/** In the row as it is now. */
function show({ element, words, title }) {
  element.textContent = words;
  element.title = title;
}

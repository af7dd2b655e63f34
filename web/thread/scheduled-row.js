import "../cards/desk-card.js";
import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { formatFarMoment } from "../lib/time.js";

/** Seconds up to which they are counted down. */
const LONG = 60;

/**
 * A message that is sent after a while, or that was refused then. Its author can withdraw it, or colleagues where the author may not.
 * @param {any} scheduled
 * @param {{ownID: string, maySend?: boolean, attachmentUrl: (id: string) => string, withdraw: (scheduled: any, isBack: boolean) => void}} reader
 *   `isBack`: its content goes back to where it was written
 */
export function scheduledRow(scheduled, { ownID, maySend = true, attachmentUrl, withdraw }) {
  const { author, payload, failure, dueAt, id } = scheduled;
  const isOwn = author?.id === ownID;
  // What is sent tomorrow was no slip: it is put back to be changed.
  const isFar = Date.parse(dueAt) - Date.now() > LONG * 1000;
  // An author who may not send any more cannot discard it either.
  const mayWithdraw = maySend && (isOwn || author?.type === "key" || failure?.code === "forbidden");
  const words = failure ? h("span", { class: "scheduled-failure" }, t("thread.scheduled.failed", { reason: reasonOf(failure) }))
    : h("span", { class: "countdown", "aria-live": "off", dataset: { due: dueAt, name: isOwn ? "" : author?.name ?? "" } });
  const press = (text, isBack) => h("button", { type: "button", class: "scheduled-button", onClick: () => withdraw(scheduled, isBack) }, t(text));
  const row = h("li", { class: `message is-ours is-first is-last is-scheduled ${failure ? "is-refused" : ""}`, dataset: { scheduled: id } },
    h("div", { class: "line" }, h("desk-card", {
      ".perspective": "business", ".direction": "outbound", ".attachments": [], ".attachmentUrl": attachmentUrl, ".payload": payload,
    })),
    h("div", { class: "scheduled-foot", role: failure ? "alert" : null }, words,
      isOwn && maySend ? press(failure || isFar ? "thread.scheduled.back" : "thread.scheduled.undo", true) : null,
      mayWithdraw && (failure || !isOwn) ? press(failure ? "thread.scheduled.discard" : "thread.scheduled.cancel", false) : null));
  drawCountdowns(row);
  return row;
}

/** Why a message was refused. The server says in English what is wrong with a content; the composer says it in each language. */
function reasonOf(failure) {
  const own = { attachment_gone: t("thread.scheduled.fileGone") };
  return refusalSentence(failure, language() === "en" ? own : { ...own, invalid: t("thread.scheduled.invalid") });
}

/** What is said of a message that waits for longer than a minute. @param {string} due @param {string} name */
function at(due, name) {
  const time = formatFarMoment(new Date(due));
  return name ? t("thread.scheduled.atBy", { name, time }) : t("thread.scheduled.at", { time });
}

/** Says how long each message of a part of the page still waits; false when none does. @param {Element} root */
export function drawCountdowns(root, now = Date.now()) {
  const counts = root.querySelectorAll(".countdown");
  for (const node of counts) {
    const { due, name } = /** @type {HTMLElement} */ (node).dataset;
    const count = Math.ceil((Date.parse(due) - now) / 1000);
    const words = count > LONG ? at(due, name) : count <= 0 ? t("thread.scheduled.now") : name ? t("thread.scheduled.by", { name, count }) : t("thread.scheduled.in", { count });
    if (node.textContent !== words) node.textContent = words;
  }
  return counts.length > 0;
}

import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { customerName } from "../lib/names.js";
import { asSeen, backOf, changeWords, isStateAlready, sendBack, takenWords } from "./changes.js";

/** For so long an agent who opens again what they closed here undoes the closing, in milliseconds. */
const MISTAKEN_MILLISECONDS = 600_000;

/** So often a change is sent again that others came before. */
const MOST_TRIES = 4;

/** When conversations whose customers waited were closed on this page, by id. @type {Map<string, number>} */
const closings = new Map();

/**
 * A change, with the undoing of the closing where an agent opens again what was closed here a moment ago: else a customer who
 * waits for an answer would be in no view of those who wait.
 * @param {any} conversation
 * @param {Record<string, any>} change
 */
function undoingClose({ id, state }, change) {
  if (change.state !== "open" || state !== "closed") return change;
  const isMistaken = Date.now() - (closings.get(id) ?? -Infinity) < MISTAKEN_MILLISECONDS;
  return isMistaken ? { ...change, undoClose: true } : change;
}

/**
 * Changes the conversation that was open, offers the way back, and goes on to the next when it left the list.
 * @param {import("./desk-state.js").DeskState} state
 * @param {any} conversation as it was when the change was wanted
 * @param {Record<string, any>} change
 * @param {(id: string, isNext: boolean) => void} go opens a conversation; `isNext`: because another one left the list
 * @param {{action: string, run: () => void}} [summary] offered to who hands the conversation over
 */
export async function changeOpen(state, conversation, change, go, summary) {
  // What a search found stays in place; the list behind it is not on screen.
  const rows = state.isSearched ? [] : state.rows;
  const at = rows.findIndex((row) => row.id === conversation.id);
  const next = at < 0 ? null : rows[at + 1] ?? rows[at - 1] ?? null;
  const before = await changed(state, conversation, change);
  if (before) {
    if (change.state === "closed" && before.waitingSince) closings.set(before.id, Date.now());
    else if (change.state) closings.delete(before.id);
    showToast(changeWords(change, state.store.get(before.id) ?? before, state.lists),
      { undo: () => undoChange(state, before, change, go), more: isHandOver(change, state) ? summary : undefined });
  } else {
    showToast(t(`console.already.${change.state}`, { name: customerName(conversation) }));
  }
  const hasLeft = change.state && at >= 0 && !state.rows.some((row) => row.id === conversation.id);
  if (hasLeft && next && state.open?.conversation.id === conversation.id) go(next.id, true);
}

/**
 * Sends a change. What another agent has made of the state meanwhile is in the way of none, and is what an undo goes back to.
 * @returns {Promise<any>} the conversation as it was before; null where it had the state already
 */
async function changed(state, conversation, change) {
  for (let [before, attempt] = [conversation, 1]; ; attempt += 1) {
    if (isStateAlready(change, before)) return null;
    try {
      await state.change(asSeen(undoingClose(before, change), before), before.id);
      return before;
    } catch (problem) {
      if (problem.code !== "precondition_failed" || !problem.body?.current || attempt === MOST_TRIES) throw problem;
      before = problem.body.current;
    }
  }
}

/** Whether others have the conversation from now on. */
function isHandOver({ assignee, team }, { session }) {
  return Boolean(team || (assignee && assignee !== "me" && assignee !== session.agent.id));
}

/** Puts back what a change replaced, and shows that conversation again. */
async function undoChange(state, before, change, go) {
  closings.delete(before.id);
  const back = backOf(before, change, state.session.agent.id);
  try {
    if (back && await sendBack(back, (still) => state.change(still, before.id))) showToast(t("shared.undo.left"));
    if (change.state && state.open?.conversation.id !== before.id) go(before.id, false);
  } catch (problem) {
    showToast(refusalSentence(problem, takenWords(problem, change)));
  }
}

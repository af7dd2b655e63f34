import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { asSeen, backOf, changeWords, stillBack, takenWords } from "./changes.js";

/**
 * Changes the conversation that was open, offers the way back, and goes on to the next when it left the list.
 * @param {import("./desk-state.js").DeskState} state
 * @param {any} conversation as it was when the change was wanted
 * @param {Record<string, any>} change
 * @param {(id: string, isNext: boolean) => void} go opens a conversation; `isNext`: because another one left the list
 * @param {{action: string, run: () => void}} [summary] offered to who hands the conversation over
 */
export async function changeOpen(state, conversation, change, go, summary) {
  const rows = state.rows;
  const at = rows.findIndex((row) => row.id === conversation.id);
  const next = at < 0 ? null : rows[at + 1] ?? rows[at - 1] ?? null;
  await state.change(asSeen(change, conversation), conversation.id);
  showToast(changeWords(change, state.store.get(conversation.id) ?? conversation, state.lists),
    { undo: () => undoChange(state, conversation, change, go), more: isHandOver(change, state) ? summary : undefined });
  const hasLeft = change.state && at >= 0 && !state.rows.some((row) => row.id === conversation.id);
  if (hasLeft && next && state.open?.conversation.id === conversation.id) go(next.id, true);
}

/** Whether others have the conversation from now on. */
function isHandOver({ assignee, team }, { session }) {
  return Boolean(team || (assignee && assignee !== "me" && assignee !== session.agent.id));
}

/** Puts back what a change replaced, and shows that conversation again. */
async function undoChange(state, before, change, go) {
  const now = state.store.get(before.id) ?? before;
  const { back, isLeft } = stillBack(backOf(before, change, state.session.agent.id) ?? {}, change, now);
  try {
    if (isLeft) showToast(t("shared.undo.left"));
    if (back && !("assignee" in change && now.assignee?.id === before.assignee?.id)) await state.change(back, before.id);
    if (change.state && state.open?.conversation.id !== before.id) go(before.id, false);
  } catch (problem) {
    showToast(refusalSentence(problem, takenWords(problem, change)));
  }
}

/**
 * The views of the inbox: which state and which assignee each begins with (`list-filter.js`). The numbers are the
 * server's (`GET /api/views`).
 *
 * @typedef {{id: string, icon: string, state: string, assignee?: string, isByWait?: boolean, isRare?: boolean, isMentioned?: boolean, isDue?: boolean}} InboxView
 *   `isDue`: those whose answer is about to break or overdue; `isMentioned`: those with a note that mentions the agent
 */

/** @type {readonly InboxView[]} */
export const inboxViews = Object.freeze([
  { id: "mine", icon: "person", state: "open", assignee: "me" },
  { id: "unassigned", icon: "inbox", state: "open", assignee: "none" },
  // Those that a bot has are not among the unassigned ones; without bots there are none.
  { id: "withBot", icon: "bot", isRare: true, state: "open", assignee: "bot" },
  { id: "waiting", icon: "clock", state: "open", isByWait: true },
  { id: "due", icon: "alert", isRare: true, state: "open", isDue: true },
  { id: "mentions", icon: "at", state: "any", isMentioned: true },
  { id: "all", icon: "list", state: "open" },
  // Few use it, as what is due: it is offered where there are some.
  { id: "pending", icon: "pause", isRare: true, state: "pending" },
  { id: "snoozed", icon: "moon", state: "snoozed" },
  { id: "closed", icon: "check", state: "closed" },
]);

/** The view of this name; the view of all for an unknown one. @param {string} id */
export function viewNamed(id) {
  return inboxViews.find((view) => view.id === id) ?? inboxViews.find((view) => view.id === "all");
}

/** A customer who has waited longer is due: in milliseconds. */
const DUE_MILLISECONDS = 10 * 60_000;

/** Whether a wait is long enough to say so. @param {string|null} since @param {Date} [now] */
export function isDue(since, now = new Date()) {
  return Boolean(since) && now.getTime() - new Date(since).getTime() >= DUE_MILLISECONDS;
}

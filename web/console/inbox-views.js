/**
 * The views of the inbox: what each asks the server for, and which conversations stay in it. The numbers are the
 * server's (`GET /api/views`).
 *
 * @typedef {{id: string, icon: string, query: Record<string, string>,
 *   belongs: (conversation: any, ownID: string) => boolean, isByWait?: boolean, isRare?: boolean}} InboxView
 */

const isOpen = (conversation) => conversation.state === "open";
const inState = (state) => ({ query: { state }, belongs: (conversation) => conversation.state === state });

/** @type {readonly InboxView[]} */
export const inboxViews = Object.freeze([
  {
    id: "mine", icon: "person", query: { filter: "mine", state: "open" },
    belongs: (conversation, ownID) => isOpen(conversation) && conversation.assignee?.id === ownID,
  },
  {
    id: "unassigned", icon: "inbox", query: { filter: "unassigned", state: "open" },
    belongs: (conversation) => isOpen(conversation) && !conversation.assignee,
  },
  {
    id: "waiting", icon: "clock", query: { state: "open", waiting: "true" }, isByWait: true,
    belongs: (conversation) => isOpen(conversation) && Boolean(conversation.waitingSince) && !conversation.left,
  },
  { id: "all", icon: "list", ...inState("open") },
  // Few use it: it is offered where there are some.
  { id: "pending", icon: "pause", isRare: true, ...inState("pending") },
  { id: "snoozed", icon: "moon", ...inState("snoozed") },
  { id: "closed", icon: "check", ...inState("closed") },
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

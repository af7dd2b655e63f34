import { api } from "../lib/api.js";
import { may } from "./permissions.js";

/** Businesses that are asked at most: the number is a hint. */
const MOST_ASKED = 20;

/**
 * Shows what a request waits for that needs another owner, and counts what waits for the signed-in person.
 * @param {HTMLElement} place where an address of the console is opened, by `go`
 * @param {any} session @param {EventTarget} state @param {(count: number) => void} show @param {AbortSignal} signal
 */
export function watchApprovals(place, session, state, show, signal) {
  document.addEventListener("approval-needed", async ({ detail }) => {
    (await import("./approval-dialog.js")).showApprovalNeeded(detail, place, session);
  }, { signal });
  /** By business. @type {Map<string, number>} */
  const counts = new Map();
  const read = async (business) => {
    try {
      counts.set(business, (await api.get(`/api/businesses/${business}/approval-rules`)).waiting);
      show([...counts.values()].reduce((sum, one) => sum + one, 0));
    } catch {
      // Safe: the page of approvals has them, and the next signal asks again.
    }
  };
  const all = session.businesses.filter((one) => may(one, "approvals.manage")).slice(0, MOST_ASKED).map(({ id }) => id);
  for (const one of all) read(one);
  state.addEventListener("saved", ({ detail }) => {
    if (detail.kind === "approval" && all.includes(detail.business)) read(detail.business);
  }, { signal });
  // What was signalled while this page was offline is not repeated.
  state.addEventListener("back", () => all.forEach(read), { signal });
}

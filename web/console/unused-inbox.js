import { api } from "../lib/api.js";

/** What was asked about each state's list, with the business that it was about. @type {WeakMap<object, {business: string|null, isUnused: boolean}>} */
const asked = new WeakMap();

/**
 * Whether no customer has ever written to the business that the list shows, or to any: asked once its list is empty, and announced as a
 * change of the state. Without an answer it is not so.
 * @param {import("./desk-state.js").DeskState} state
 */
export function isUnused(state) {
  const { business } = state.filter;
  if (state.isLoading || state.problem) return false;
  if (state.rows.length || state.counts.all || state.store.rows((one) => !business || one.business === business).length) {
    asked.delete(state);
    return false;
  }
  const known = asked.get(state);
  if (known?.business === business) return known.isUnused;
  const about = { business, isUnused: false };
  asked.set(state, about);
  api.get("/api/conversations", { query: { ...business ? { business } : {}, "filter[state]": "any", "page[size]": 1 } }).then(({ data }) => {
    if (asked.get(state) !== about || data.length) return;
    about.isUnused = true;
    state.dispatchEvent(new CustomEvent("change"));
  }, () => {});  // Safe: the list says in any case that it is empty.
  return false;
}

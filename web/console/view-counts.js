import { api } from "../lib/api.js";

/** The numbers are requested at most once in this time, in milliseconds, however many events arrive. */
const REREAD_MILLISECONDS = 500;

/**
 * The numbers of all views, by the server: not only of the rows that were read. Event of this object: `change`.
 */
export class ViewCounts extends EventTarget {
  counts = {
    mine: 0, unassigned: 0, withBot: 0, mentions: 0, due: 0, all: 0, pending: 0, snoozed: 0, closed: 0,
    waiting: { count: 0, conversation: null, since: null },
  };
  /** Those of each label, team and member, by their ids. */
  by = { labels: new Map(), teams: new Map(), assignees: new Map() };
  #business = "";
  #timer = 0;

  /** Reads those of a business, or of all for "". @param {string} business */
  async read(business) {
    this.#business = business;
    const views = await api.get("/api/views", { query: { business } }).catch(() => null);  // Safe: the page says that it is offline.
    if (!views || business !== this.#business) return;
    this.counts = views.counts;
    for (const name of Object.keys(this.by)) this.by[name] = new Map((views[name] ?? []).map(({ id, count }) => [id, count]));
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Reads again soon, once for many calls. */
  readSoon() {
    // One that is due stays due: events without a pause would put it off for ever.
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.read(this.#business);
    }, REREAD_MILLISECONDS);
  }

  stop() {
    clearTimeout(this.#timer);
  }
}

import { api } from "../lib/api.js";

/** The numbers are requested at most once in this time, in milliseconds, however many events arrive. */
const REREAD_MILLISECONDS = 2_000;
/** A view was shared, changed or removed: the list is read again after this time. */
const SOON_MILLISECONDS = 200;

/**
 * The saved views that the agent sees, with how many conversations they have: the server's numbers. Event of this object:
 * `change`.
 */
export class SavedViews extends EventTarget {
  /** @type {{id: string, business: string|null, name: string, shared: boolean, order: number, filter: any, count: number, isMore: boolean, missing: string[]}[]} */
  all = [];
  #business = "";
  #timer = 0;
  #isSoon = false;

  /** Reads those of a business, or of all for "". @param {string} [business] */
  async read(business = this.#business) {
    this.#business = business;
    const page = await api.get("/api/views/saved", { query: { business } }).catch(() => null);  // Safe: the page says that it is offline.
    if (!page || business !== this.#business) return;
    this.all = page.data;
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Something happened that may move the numbers. @param {string} [type] of an event */
  noteChange(type = "") {
    const isOfViews = type.startsWith("view.");
    if (!isOfViews && !this.all.length) return;
    if (isOfViews && this.#timer && !this.#isSoon) this.stop();
    this.#isSoon ||= isOfViews;
    // One that is due stays due: events without a pause would put it off for ever.
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.#isSoon = false;
      this.read();
    }, isOfViews ? SOON_MILLISECONDS : REREAD_MILLISECONDS);
  }

  /** The time has moved what is due. */
  followTime() {
    if (this.all.some((one) => one.filter.dueWithin !== undefined)) this.noteChange();
  }

  /** @param {string} id */
  named(id) {
    return this.all.find((one) => one.id === id) ?? null;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }
}

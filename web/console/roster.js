import { api } from "../lib/api.js";

/** After events the numbers are read again at most once in this time, in milliseconds. */
const REREAD_MILLISECONDS = 1_000;
/** Those who are there come first. */
const ORDER = ["online", "busy", "away"];

/**
 * The members of a business: who is there, and how many open conversations each has. Kept up to date from `start` to
 * `stop`. Event of this object: `change`.
 */
export class Roster extends EventTarget {
  #rows = new Map();
  #timer = 0;
  #end = null;
  #fetch;

  /**
   * @param {string} business
   * @param {EventTarget & {availability: import("./availability.js").Availability, live: {state: string}}} state of the
   *   console, whose event `happened` has an event of the log and `line` says that `live.state` is another
   * @param {(path: string) => Promise<any>} [fetch]
   */
  constructor(business, state, fetch = (path) => api.get(path)) {
    super();
    this.business = business;
    this.state = state;
    this.#fetch = fetch;
  }

  /** Reads the members and follows what changes. @returns {Promise<void>} fulfilled when they are there, or cannot be read */
  start() {
    this.#end = new AbortController();
    const { signal } = this.#end;
    this.state.availability.addEventListener("change", () => this.#changed(), { signal });
    // Who left while the connection was down is not said when it opens again.
    this.state.addEventListener("line", () => this.state.live.state === "live" && this.#read(), { signal });
    this.state.addEventListener("happened", ({ detail }) => {
      if (detail.business === this.business && (detail.data?.conversationState ?? detail.data?.conversation)) this.readSoon();
    }, { signal });
    return this.#read();
  }

  stop() {
    this.#end?.abort();
    clearTimeout(this.#timer);
  }

  /** What a member is now: `online`, `away`, `busy`, `offline`; of oneself `invisible` too. @param {string} agent */
  stateOf(agent) {
    return this.state.availability.of(this.business, agent) ?? this.#rows.get(agent)?.state ?? "offline";
  }

  /** How many open conversations a member has; null until it is known. @param {string} agent @returns {number|null} */
  openOf(agent) {
    return this.#rows.get(agent)?.open ?? null;
  }

  /** Orders members: those who are there first, then by name. @param {{id: string, name: string}} one @param {{id: string, name: string}} other */
  compare(one, other) {
    const rank = ({ id }) => (ORDER.indexOf(this.stateOf(id)) + ORDER.length + 1) % (ORDER.length + 1);
    return rank(one) - rank(other) || one.name.localeCompare(other.name);
  }

  /** Reads the members again, as one has come or gone. */
  readSoon() {
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.#read();
    }, REREAD_MILLISECONDS);
  }

  async #read() {
    const { signal } = this.#end;
    const page = await this.#fetch(`/api/businesses/${this.business}/presence`).catch(() => null);  // Safe: read again with the next event.
    if (!page || signal.aborted) return;
    this.#rows = new Map(page.data.map(({ agent, state, open }) => [agent.id, { state, open }]));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

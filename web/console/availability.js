import { api } from "../lib/api.js";
import { registerStrings } from "../lib/i18n.js";
import { IDLE_MINUTES, IdleWatch } from "./idle-watch.js";

await registerStrings({ en: () => import("../i18n/en/presence.js"), ja: () => import("../i18n/ja/presence.js") });

/**
 * Who is there: the agent, by choice and by using the page, and the colleagues, as the server reports them while the
 * connection is open. Events of this object: `change`, and `idle` when the agent stopped or began to use the page.
 */
export class Availability extends EventTarget {
  #session;
  #send;
  #put;
  /** After so many minutes without a key or a press the agent is idle. */
  idleMinutes = IDLE_MINUTES;
  #version = -1;
  #watch = new IdleWatch(() => this.#turn());
  /** @type {Map<string, Map<string, string>>} the states of colleagues, by business and agent */
  #others = new Map();

  /**
   * @param {{agent: {id: string}, availability?: string}} session its `availability` is what was chosen last
   * @param {(frame: Record<string, any>) => void} send over the live connection
   * @param {(state: string) => Promise<any>} [put] stores a choice
   */
  constructor(session, send, put = (state) => api.put("/api/session/availability", { state })) {
    super();
    this.#session = session;
    this.#send = send;
    this.#put = put;
  }

  /** What the agent chose. */
  get chosen() {
    return this.#session.availability ?? "online";
  }

  /** What the agent is now, as this page knows it. */
  get shown() {
    return this.isIdle && this.chosen === "online" ? "away" : this.chosen;
  }

  /** Whether the agent has not used this page for a while. */
  get isIdle() {
    return this.#watch.isIdle;
  }

  /** @param {EventTarget} [page] */
  start(page) {
    this.#watch.start(page);
  }

  stop() {
    this.#watch.stop();
  }

  /** Stores another choice; a refused one is undone, and its refusal thrown. @param {string} state */
  async choose(state) {
    const before = this.chosen;
    this.#keep(state);
    try {
      await this.#put(state);
    } catch (problem) {
      if (this.chosen === state) this.#keep(before);
      throw problem;
    }
  }

  /** The connection is open: the server sends who is there, and counts this page as in use. */
  begin() {
    this.clear();
    if (this.isIdle) this.#report();
  }

  /** The connection is down: who is there is unknown. */
  clear() {
    this.#others.clear();
    this.#changed();
  }

  /** Applies a frame `availability` or `choice`. @param {{kind: string, business?: string, who: {id: string}, state: string, version?: number}} frame */
  apply({ kind, business = "", who, state, version = 0 }) {
    if (kind === "choice") {
      // Of two choices of this agent's pages the later one counts, in whatever order they arrive.
      if (who.id !== this.#session.agent.id || version < this.#version) return;
      this.#version = version;
      this.#keep(state);
    } else {
      if (!this.#others.has(business)) this.#others.set(business, new Map());
      this.#others.get(business).set(who.id, state);
      this.#changed();
    }
  }

  /** What an agent is; undefined where the server has not said it over this connection. @param {string} business @param {string} agent */
  of(business, agent) {
    return agent === this.#session.agent.id ? this.shown : this.#others.get(business)?.get(agent);
  }

  /** Who is there, as the server has said over this connection. @param {string} business @returns {string[]} the ids */
  thereIn(business) {
    return [...this.#others.get(business) ?? []].filter(([, state]) => state !== "offline").map(([id]) => id);
  }

  #turn() {
    this.#report();
    this.#changed();
    this.dispatchEvent(new CustomEvent("idle"));
  }

  #report() {
    this.#send({ type: "availability", state: this.isIdle ? "away" : "online" });
  }

  #keep(state) {
    if (this.chosen === state) return;
    this.#session.availability = state;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

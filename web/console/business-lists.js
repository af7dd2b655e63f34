import { api } from "../lib/api.js";

/** The event that says when an element of a list is another; the others are read again after a time. */
const EVENTS = { "label.saved": ["labels", "label"], "team.saved": ["teams", "team"], "attribute.saved": ["attributes", "attribute"],
  "bot.saved": ["bots", "bot"] };
/** How long a list without events counts as current, and how long a refused request is not repeated, in milliseconds. */
const KEPT_MILLISECONDS = 60_000;

/**
 * What a business has beside its conversations: labels, teams, members. Each list is read when it is needed first and
 * kept up to date by the events of the live connection. Event of this object: `change`.
 */
export class BusinessLists extends EventTarget {
  #entries = new Map();
  #fetch;

  /** @param {(path: string) => Promise<any>} [fetch] */
  constructor(fetch = (path) => api.get(path)) {
    super();
    this.#fetch = fetch;
  }

  /** Its labels in their order, retired ones too; empty until they are read. @param {string} business */
  labels(business) {
    return this.#list(business, "labels");
  }

  /** Its teams. @param {string} business */
  teams(business) {
    return this.#list(business, "teams");
  }

  /** Its bots, retired ones too. @param {string} business */
  bots(business) {
    return this.#list(business, "bots");
  }

  /** The definitions of its attributes, retired ones too. @param {string} business */
  attributes(business) {
    return this.#list(business, "attributes");
  }

  /** Its members who have joined. @param {string} business */
  members(business) {
    return this.#list(business, "members");
  }

  /** Waits until a list is read, and reads it again when it may be old. @param {string} business @param {string} name */
  async read(business, name) {
    this.#list(business, name);
    await this.#entries.get(key(business, name)).reading;
    return this.#list(business, name);
  }

  /** @param {{labels?: string[], business: string}} conversation @returns {any[]} the labels that are known, in its order */
  labelsOf({ labels = [], business }) {
    if (!labels.length) return [];
    const known = this.labels(business);
    return labels.map((id) => known.find((one) => one.id === id)).filter(Boolean);
  }

  /** The label of an id, of whatever business was read. @param {string} id */
  labelNamed(id) {
    return this.#find("labels", id);
  }

  /** @param {string} id */
  teamNamed(id) {
    return this.#find("teams", id);
  }

  /** @param {string} id */
  botNamed(id) {
    return this.#find("bots", id);
  }

  /** @param {string} id */
  memberNamed(id) {
    return this.#find("members", id);
  }

  /** The definition of a conversation's attribute, of whatever business was read. @param {string} name its key */
  attributeNamed(name) {
    const isIt = (one) => one.of === "conversation" && one.key === name;
    return [...this.#entries.values()].filter((entry) => entry.name === "attributes").flatMap((entry) => entry.data).find(isIt) ?? null;
  }

  /** A label or a team. @param {"labels"|"teams"} name @param {string} id */
  named(name, id) {
    return this.#find(name, id);
  }

  #find(name, id) {
    for (const entry of this.#entries.values()) {
      const found = entry.name === name && entry.data.find((one) => one.id === id);
      if (found) return found;
    }
    return null;
  }

  /** Applies an event of the log. @param {{type: string, data?: any}} event */
  apply(event) {
    const [name, member] = EVENTS[event.type] ?? [];
    const saved = name && event.data?.[member];
    if (saved) this.put(name, saved);
  }

  /** One element as it is now. @param {string} name @param {any} saved */
  put(name, saved) {
    const entry = this.#entries.get(key(saved.business, name));
    if (!entry) return;
    // The answer that is on its way may be older than this.
    if (entry.reading) entry.isStale = true;
    entry.data = inOrder([...entry.data.filter((one) => one.id !== saved.id), saved]);
    this.#changed();
  }

  /** Events were missed: what is read is read again when it is needed. */
  forget() {
    for (const entry of this.#entries.values()) entry.readAt = 0;
  }

  #list(business, name) {
    if (!business) return [];
    const at = key(business, name);
    if (!this.#entries.has(at)) this.#entries.set(at, { name, business, data: [], readAt: 0, reading: null, isStale: false });
    const entry = this.#entries.get(at);
    if (!entry.reading && this.#isOld(entry)) this.#read(entry);
    return entry.data;
  }

  #isOld({ name, readAt, isRefused }) {
    const hasEvents = Object.values(EVENTS).some(([list]) => list === name);
    return readAt === 0 || ((isRefused || !hasEvents) && Date.now() - readAt > KEPT_MILLISECONDS);
  }

  #read(entry) {
    entry.isStale = false;
    entry.reading = this.#fetch(`/api/businesses/${entry.business}/${entry.name}`).then((page) => {
      entry.isRefused = false;
      entry.data = inOrder(page.data.filter((one) => !one.invited));
    }, () => {
      entry.isRefused = true;  // Safe: without names nothing is drawn for an id.
    }).then(() => {
      [entry.readAt, entry.reading] = [Date.now(), null];
      if (entry.isStale) this.#read(entry);
      this.#changed();
    });
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

const key = (business, name) => `${business} ${name}`;

function inOrder(list) {
  return [...list].sort((one, other) => (one.order ?? 0) - (other.order ?? 0) || (one.name ?? "").localeCompare(other.name ?? ""));
}

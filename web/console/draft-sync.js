/** Keeps an agent's drafts on the server: one for each conversation, the same on every device. */

/** A draft is saved so long after the last key, in milliseconds. */
const REST_MILLISECONDS = 1_000;
/** The longest draft that is saved while the page ends, in UTF-16 units: browsers take 64 KiB in all. */
const MOST_LEAVING = 15_000;

/**
 * @typedef {{reply: import("../composer/kept-draft.js").KeptDraft|null, note: string, isNote: boolean, begun?: number}} Written
 *   `begun`: the newest message that there was when the answer was begun
 * @typedef {{get: Function, put: Function, delete: Function}} Requests
 */

export class DraftSync {
  /** Of each conversation: the version last seen, what it says, what is still to be saved, the request on its way, what is to be saved after it, and how often this device changed it. */
  #known = new Map();
  #timers = new Map();
  #requests;
  #on;

  /**
   * @param {Requests} requests
   * @param {{
   *   overwritten?: (conversation: string, other: Written|null) => void,
   *   stored?: (conversation: string, mark: {version: number, kind: string, text: string}|null) => void,
   *   refused?: (conversation: string, problem: any) => void}} on `overwritten`: this device's draft replaced one that
   *   another device had saved meanwhile; `stored`: with what a row shows; `refused`: the server does not keep a draft
   */
  constructor(requests, on = {}) {
    this.#requests = requests;
    this.#on = on;
  }

  /** The version last seen; 0 for none. @param {string} id */
  version(id) {
    return this.#of(id).version;
  }

  /** Whether the server has what is written here. @param {string} id @param {Written|null} written */
  has(id, written) {
    const known = this.#of(id);
    return known.waiting === undefined && !known.saving && known.text === JSON.stringify(written);
  }

  /**
   * Reads the draft of a conversation; undefined when this device's own is newer or it could not be read.
   * @param {string} id
   * @param {{version: number}|null} mark the conversation's `draft`; without one there is nothing to read
   * @returns {Promise<Written|null|undefined>}
   */
  async read(id, mark) {
    const known = this.#of(id);
    const { changes } = known;
    let draft = null;
    try {
      if (mark) draft = await this.#requests.get(path(id));
    } catch (problem) {
      if (problem.status !== 404) return undefined;
    }
    // What was read before this device changed it is older.
    if (known.changes !== changes || known.waiting !== undefined || known.saving || known.sending) return undefined;
    known.version = draft?.version ?? 0;
    known.text = draft ? JSON.stringify(writtenOf(draft)) : "null";
    return draft ? writtenOf(draft) : null;
  }

  /** Notes what is written now; it is saved after a rest. @param {string} id @param {Written|null} written */
  change(id, written) {
    const known = this.#of(id);
    const text = JSON.stringify(written);
    clearTimeout(this.#timers.get(id));
    // What is on its way as a message is no draft.
    if ((text === known.text && !known.saving) || (known.sending && text === JSON.stringify(known.sending))) {
      known.waiting = undefined;
      return;
    }
    known.waiting = written;
    this.#timers.set(id, setTimeout(() => this.save(id), REST_MILLISECONDS));
  }

  /** Saves an answer as a new draft, unless there is one; what is on its way as a message is none once it is there. @param {string} id @param {Written["reply"]} reply */
  begin(id, reply) {
    const known = this.#of(id);
    if (known.sending) known.next = reply;
    if (!reply || known.version || known.waiting || known.saving || known.sending) return;
    known.waiting = { reply, note: "", isNote: false };
    this.save(id);
  }

  /**
   * Saves what waits, now.
   * @param {string} id
   * @param {{isLeaving?: boolean}} [options] `isLeaving`: the page may end before the answer comes
   */
  save(id, { isLeaving = false } = {}) {
    clearTimeout(this.#timers.get(id));
    const known = this.#of(id);
    known.saving ??= this.#carry(id, known, isLeaving).finally(() => {
      known.saving = null;
    });
    return known.saving;
  }

  /** Saves what waits of every conversation: what could not be saved without a connection. */
  async saveAll() {
    for (const [id, { waiting }] of this.#known) if (waiting !== undefined) await this.save(id);
  }

  /**
   * The version that a message replaces, once no save is on its way; what still waits is the message itself.
   * @param {string} id
   * @param {Written|null} [written] until `sent` or `unsent`
   */
  async versionToSend(id, written = null) {
    clearTimeout(this.#timers.get(id));
    const known = this.#of(id);
    known.waiting = undefined;
    known.sending = written;
    known.isSending = true;
    await known.saving;
    return known.version;
  }

  /**
   * The server has deleted the draft together with the message; one that is no draft, as a template is, leaves it as it is.
   * @param {string} id
   * @param {boolean} [isLeft] the conversation is not on screen: what else was written in it is saved anew
   */
  sent(id, isLeft = false) {
    const known = this.#of(id);
    const { sending, next, isSending } = known;
    if (!isSending) return;
    Object.assign(known, { version: 0, text: "null", isSending: false, sending: null, next: null, changes: known.changes + 1 });
    this.#on.stored?.(id, null);
    if (isLeft && sending) this.change(id, restOf(sending));
    if (isLeft) this.begin(id, next);
  }

  /** The message was not sent: it is a draft as before. @param {string} id */
  unsent(id) {
    const known = this.#of(id);
    const { sending } = known;
    Object.assign(known, { isSending: false, sending: null, next: null });
    if (sending && known.waiting === undefined) this.change(id, sending);
  }

  /** A note of a conversation that is not on screen was stored; what else was written there stays. @param {string} id @param {string} text */
  async noteSaved(id, text) {
    const known = this.#of(id);
    await known.saving;
    const written = known.waiting === undefined ? JSON.parse(known.text) : known.waiting;
    if (written?.note.trim() === text) this.change(id, written.reply ? { ...written, note: "", isNote: false } : null);
  }

  async #carry(id, known, isLeaving) {
    while (known.waiting !== undefined) {
      const written = known.waiting;
      known.waiting = undefined;
      try {
        known.version = await this.#put(id, known.version, written, isLeaving);
        known.changes += 1;
        known.text = JSON.stringify(written);
        this.#on.stored?.(id, written ? { version: known.version, kind: kindOf(written), text: textOf(written) } : null);
      } catch (problem) {
        if (problem.code !== "draft_conflict") {
          // Safe: it is kept in the page and saved with the next change.
          known.waiting ??= problem.mayRetry ? written : undefined;
          if (!problem.mayRetry) this.#on.refused?.(id, problem);
          return;
        }
        const { current } = problem.body;
        known.version = current?.version ?? 0;
        known.waiting ??= written;
        if (current) this.#on.overwritten?.(id, writtenOf(current));
      }
    }
  }

  async #put(id, version, written, isLeaving) {
    // A browser finishes such a request after the page; it accepts no large ones.
    const keepalive = isLeaving && JSON.stringify(written).length < MOST_LEAVING;
    if (!written) {
      if (version) await this.#requests.delete(path(id), { query: { version }, keepalive });
      return 0;
    }
    const saved = await this.#requests.put(path(id), { version, kind: kindOf(written), text: textOf(written), content: written }, { keepalive });
    return saved.version;
  }

  #of(id) {
    if (!this.#known.has(id)) this.#known.set(id, { version: 0, text: "null", waiting: undefined, saving: null, isSending: false, sending: null, next: null, changes: 0 });
    return this.#known.get(id);
  }
}

/** What a stored draft says; one that another program wrote has only its text. */
function writtenOf({ kind, text, content }) {
  if (content && "reply" in content) return content;
  return kind === "note" ? { reply: null, note: text, isNote: true }
    : { reply: text ? { kind: "text", body: text, card: null } : null, note: "", isNote: false };
}

/** The kind of a draft, as its row says it: of what is open, and where that is empty of the card behind it. */
function kindOf({ reply, isNote }) {
  if (isNote) return "note";
  const isEmpty = reply?.kind === "text" && !reply.body.trim() && !reply.files;
  return (isEmpty && reply.card?.kind) || (reply?.kind ?? "text");
}

/** The line of a draft that its row shows. */
function textOf({ reply, note, isNote }) {
  return (isNote ? note : reply?.body || (reply?.files ?? []).map((file) => file.name).join(", ")) || note || "";
}

/** What is left of what was written, without the message that was sent: a text beside cards, cards behind it, and a note. */
function restOf({ reply, note, isNote }) {
  const left = reply && (reply.kind === "text" ? withoutText(reply) : withoutCard(reply));
  return left || note.trim() ? { reply: left, note, isNote } : null;
}

function withoutText({ card, behind }) {
  return card && { kind: "text", body: "", card, ...behind ? { behind } : {} };
}

function withoutCard({ behind: [card = null, ...others] = [], ...reply }) {
  return reply.body || reply.files || card ? { ...reply, kind: "text", card, ...others.length ? { behind: others } : {} } : null;
}

function path(id) {
  return `/api/conversations/${encodeURIComponent(id)}/draft`;
}

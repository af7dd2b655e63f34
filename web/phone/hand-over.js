import { makeUUID } from "../lib/uuid.js";
import { storageOrNull } from "./memory.js";

/**
 * Moves what a customer was writing without a name to where the same customer writes after signing in: the text in the
 * field, and the messages that no server has confirmed. They go into another conversation, so they are new messages;
 * files and answers to cards belong to the former one and stay behind.
 * @param {string} from the key of the former place
 * @param {string} to
 * @param {Storage|null} [storage]
 */
export function handOver(from, to, storage = storageOrNull()) {
  if (!storage || from === to) return;
  try {
    const draft = storage.getItem(`${from}.draft`);
    if (draft !== null && storage.getItem(`${to}.draft`) === null) storage.setItem(`${to}.draft`, draft);
    const waiting = JSON.parse(storage.getItem(`${from}.outbox`) ?? "[]").filter((item) => item.path === "/messages" && !item.body.attachments);
    const moved = waiting.map((item) => {
      const id = makeUUID();
      const { text, locale, page } = item.body;
      return { ...item, id, body: { id, text, locale, ...(page ? { page } : {}) } };
    });
    const there = JSON.parse(storage.getItem(`${to}.outbox`) ?? "[]");
    if (moved.length > 0) storage.setItem(`${to}.outbox`, JSON.stringify([...there, ...moved]));
    storage.removeItem(`${from}.draft`);
    storage.removeItem(`${from}.outbox`);
  } catch {
    // Safe: a full storage, or an unreadable copy of an older page; the conversation begins empty.
  }
}

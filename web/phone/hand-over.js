import { storageOrNull } from "./memory.js";
import { unsentText } from "./outbox.js";

/**
 * Moves what a customer was writing without a name to where the same customer writes after signing in: the text in the
 * field, and the messages that no server has confirmed. One of which the answer is not known keeps its id and names the
 * conversation where it may be, or as the first words of all their secret, so that it is not stored a second time. Files
 * belong to the former conversation: the words of a message with files go into the field, where the files are added
 * (`held-files.js`). Answers to cards stay behind. A message that another tab has moved already is not moved again.
 * @param {string} from the key of the former place
 * @param {string} to the key of the next one, or the same: what is there then goes on in another conversation
 * @param {Storage|null} [storage]
 */
export function handOver(from, to, storage = storageOrNull()) {
  if (!storage) return;
  try {
    const read = (name) => JSON.parse(storage.getItem(name) ?? "null");
    const waiting = (read(`${from}.outbox`) ?? []).filter(({ path }) => path === "/messages");
    const [withFiles, words] = [true, false].map((has) => waiting.filter(({ body }) => Boolean(body.attachments) === has));
    const there = from === to ? [] : read(`${to}.outbox`) ?? [];
    const draft = [unsentText(withFiles), read(`${to}.draft`) ?? read(`${from}.draft`)].filter(Boolean).join("\n\n");
    if (draft) storage.setItem(`${to}.draft`, JSON.stringify(draft));
    const isNew = ({ id }) => there.every((one) => one.id !== id);
    const moved = words.filter(isNew).map(({ at, ...item }) => {
      // The body names the conversation only once it is known that the browser keeps the cookie of it.
      const { id, text, locale, page, secret, conversation = at, former = conversation } = item.body;
      const known = former ? { former } : secret ? { secret } : {};
      return { ...item, isMoved: true, body: { id, text, locale, ...(page ? { page } : {}), ...(item.isTried ? known : {}) } };
    });
    if (moved.length > 0) storage.setItem(`${to}.outbox`, JSON.stringify([...there, ...moved]));
    if (from !== to) storage.removeItem(`${from}.draft`);
    if (from !== to || moved.length === 0) storage.removeItem(`${from}.outbox`);
  } catch {
    // Safe: a full storage, or an unreadable copy of an older page; the conversation begins empty.
  }
}

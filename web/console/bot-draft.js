/** What the settings of bots show and send, without DOM. */

/** As the server has them: most bots of a business, longest names and intents in bytes, most intents of one, the seconds for an answer. */
export const limits = Object.freeze({ bots: 50, nameBytes: 120, keyNameBytes: 100, intents: 50, intentBytes: 64, seconds: [1, 3600], usualSeconds: 30 });
/** What the key of a bot needs to be able to do. */
export const botScopes = Object.freeze(["read", "send"]);

const bytes = (text) => new TextEncoder().encode(text).length;

/**
 * Whether a key can be used: `valid`, or why not, as the end of a key of the texts.
 * @param {{revokedAt: string|null, expiresAt: string|null}|undefined} key undefined for one that does not act for the business any more
 * @param {number} now
 * @returns {"valid"|"expired"|"revoked"|"gone"}
 */
export function keyState(key, now) {
  if (!key) return "gone";
  if (key.revokedAt) return "revoked";
  return key.expiresAt && Date.parse(key.expiresAt) <= now ? "expired" : "valid";
}

/**
 * The key that was made in the place of another and can be used; null without one.
 * @param {string} id of the key that may have been replaced @param {any[]} keys @param {number} now
 */
export function successorOf(id, keys, now) {
  const next = keys.find((one) => one.replaces === id);
  if (!next) return null;
  // It may have been replaced itself.
  return successorOf(next.id, keys.filter((one) => one !== next), now) ?? (keyState(next, now) === "valid" ? next : null);
}

/**
 * When the next of these keys ends; null where none does.
 * @param {any[]} keys @param {number} now
 */
export function nextEnd(keys, now) {
  const ends = keys.filter((one) => one.expiresAt && keyState(one, now) === "valid").map((one) => Date.parse(one.expiresAt));
  return ends.length ? Math.min(...ends) : null;
}

/**
 * The keys that can be a bot: they may read and send, can be used, and are no other bot.
 * @param {any[]} keys @param {any[]} bots of the business @param {string|null} own the id of the bot that is changed @param {number} now
 */
export function fittingKeys(keys, bots, own, now) {
  const used = new Set(bots.filter((one) => !one.retired && one.id !== own).map((one) => one.key));
  return keys.filter((one) => keyState(one, now) === "valid" && !used.has(one.id) && botScopes.every((scope) => one.scopes.includes(scope)));
}

/** The intents of a text that has one in each line, each once. @param {string} text */
export function intentsOf(text) {
  return [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];
}

/** What a new key is called that is made with a bot. @param {string} name the bot's */
export function keyNameOf(name) {
  const letters = [...name];
  while (bytes(letters.join("")) > limits.keyNameBytes) letters.pop();
  return letters.join("").trim();
}

/**
 * What is wrong with the values of the form: for each field the end of a key of the texts.
 * @param {{name: string, answerSeconds: number, intents: string[]}} draft
 * @param {any[]} bots of the business @param {string|null} own the id of the bot that is changed
 * @returns {Record<string, string>}
 */
export function faultsOf({ name, answerSeconds, intents }, bots, own) {
  const faults = {};
  const [least, most] = limits.seconds;
  if (bytes(name) > limits.nameBytes) faults.name = "nameLong";
  else if (bots.some((one) => one.id !== own && one.name.toLowerCase() === name.toLowerCase())) faults.name = "nameTaken";
  if (!Number.isInteger(answerSeconds) || answerSeconds < least || answerSeconds > most) faults.answerSeconds = "answerSeconds";
  if (intents.length > limits.intents) faults.intents = "intentsMany";
  else if (intents.some((one) => bytes(one) > limits.intentBytes || /[\u0000-\u001f]/.test(one))) faults.intents = "intents";
  return faults;
}

/**
 * What the server refused, for each field the end of a key of the texts; empty where no field is at fault.
 * @param {any} problem
 * @param {{key: string}} body that was sent, or the bot as it would be
 * @param {any[]} bots as they are now @param {string|null} own the id of the bot that is changed
 * @returns {Record<string, string>}
 */
export function faultsOfRefusal(problem, { key }, bots, own) {
  if (problem.code === "name_taken") {
    return bots.some((one) => one.id !== own && !one.retired && one.key === key) ? { key: "keyTaken" } : { name: "nameTaken" };
  }
  const words = { name: "name", key: "key", answerSeconds: "answerSeconds", intents: "intents", webhook: "webhook" };
  const fields = (problem.errors ?? []).map(({ pointer }) => (pointer ?? "").split("/")[1]);
  return Object.fromEntries(fields.filter((field) => field in words).map((field) => [field, words[field]]));
}

/**
 * The body that registers a bot, or changes one: then only what differs from `before`.
 * @param {Record<string, any>} draft @param {Record<string, any>|null} before the bot as it is, null for a new one
 */
export function bodyOf({ name, key, answerSeconds, first, intents, webhook }, before) {
  const body = { name, key, answerSeconds, first, intents, webhook };
  if (!before) return body;
  return Object.fromEntries(Object.entries(body).filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(before[member])));
}

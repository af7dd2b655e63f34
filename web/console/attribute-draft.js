/** What an attribute can hold. */
export const attributeTypes = Object.freeze(["text", "number", "date", "choice", "link"]);
/** Of what there are attributes. */
export const attributeSubjects = Object.freeze(["conversation", "contact"]);

/** The server's limits: of a key in characters, of a name or a choice in bytes of UTF-8, of the choices of an attribute. */
const MOST_KEY_CHARACTERS = 40;
const MOST_NAME_BYTES = 120;
const MOST_CHOICES = 50;
const KEY = /^[a-z][a-z0-9_]*$/;

/** The choices that were typed, one in each line, each once. @param {string} text */
export function choicesOf(text) {
  return [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];
}

/**
 * What is wrong with a definition, by its fields; nothing where it can be stored.
 * @param {{of: string, name: string, key: string, type: string, choices: string[]}} draft
 * @param {{of: string, key: string}[]} known the definitions of the business, retired ones too
 * @returns {{name?: "empty"|"long", key?: "empty"|"letters"|"long"|"used", choices?: "none"|"many"|"long"}}
 */
export function draftFaults({ of, name, key, type, choices }, known) {
  const faults = {};
  if (!name.trim()) faults.name = "empty";
  else if (bytes(name.trim()) > MOST_NAME_BYTES) faults.name = "long";
  if (!key) faults.key = "empty";
  else if (!KEY.test(key)) faults.key = "letters";
  else if (key.length > MOST_KEY_CHARACTERS) faults.key = "long";
  else if (known.some((one) => one.of === of && one.key === key)) faults.key = "used";
  if (type !== "choice") return faults;
  if (!choices.length) faults.choices = "none";
  else if (choices.length > MOST_CHOICES) faults.choices = "many";
  else if (choices.some((one) => bytes(one) > MOST_NAME_BYTES)) faults.choices = "long";
  return faults;
}

/**
 * What is wrong with a choice that is to be added; null where it can be.
 * @param {string} choice
 * @param {string[]} known
 * @returns {"empty"|"there"|"many"|"long"|null}
 */
export function choiceFault(choice, known) {
  if (!choice) return "empty";
  if (known.includes(choice)) return "there";
  if (known.length >= MOST_CHOICES) return "many";
  return bytes(choice) > MOST_NAME_BYTES ? "long" : null;
}

const bytes = (text) => new TextEncoder().encode(text).length;

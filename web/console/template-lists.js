/**
 * Elements of a template that are repeated for the items of a list: `{"{{slots}}": element}` in an array, with
 * `{{slots.start}}` and `{{slots.position}}` inside. Pure.
 */

const OPENING = /\{\s*"\{\{\s*([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)\s*\}\}"\s*:\s*/g;

/** What each item of a list has without being declared: its place, from 1 on. */
export const POSITION = "position";

/**
 * The repeated elements of a text, in its order: the spans around the element, in UTF-16 units.
 * @param {string} text
 * @returns {{name: string, opening: {start: number, end: number}, closing: {start: number, end: number}}[]}
 */
export function repetitions(text) {
  return [...text.matchAll(OPENING)].flatMap((match) => {
    // Only an element of an array is repeated.
    if (!/[[,]\s*$/.test(text.slice(0, match.index))) return [];
    const start = match.index;
    const end = start + match[0].length;
    const last = endOfOnlyMember(text, end);
    return last === null ? [] : [{ name: match[1], opening: { start, end }, closing: { start: last, end: last + 1 } }];
  });
}

/**
 * The lists of a text with the names of their items' values, in the order they appear.
 * @param {string} text
 * @param {Iterable<string>} names of all placeholders
 * @returns {Map<string, string[]>}
 */
export function findLists(text, names) {
  const lists = new Map(repetitions(text).map(({ name }) => [name, []]));
  for (const name of names) {
    const list = listOf(name, lists.keys());
    if (!list) continue;
    const member = name.slice(list.length + 1);
    const members = lists.get(list);
    if (member !== POSITION && !members.includes(member)) members.push(member);
  }
  return lists;
}

/** The list whose items have a value of this name; null for a name of no list. @param {string} name @param {Iterable<string>} lists */
export function listOf(name, lists) {
  return [...lists].find((one) => name.startsWith(`${one}.`)) ?? null;
}

/** Where the object ends whose only member's value begins here; null where it has more members or is not closed. */
function endOfOnlyMember(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      at = endOfText(text, at);
    } else if (sign === "{" || sign === "[") {
      depth += 1;
    } else if (sign === "}" || sign === "]") {
      if (depth === 0) return sign === "}" ? at : null;
      depth -= 1;
    } else if (sign === "," && depth === 0) {
      return null;
    }
  }
  return null;
}

function endOfText(text, start) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

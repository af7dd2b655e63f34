/** Members that a note mentions: while it is typed, and when it is sent. Pure. */

/** A note mentions at most so many. */
const MOST = 20;
/** The longest beginning of a name that is looked for, in UTF-16 units. */
const LONGEST = 60;

/** @typedef {{id: string, name: string, isTeam?: boolean, count?: number}} Member a member, or a team with the count of its members */

/**
 * The mention that is being typed at the caret; null for none.
 * @param {string} text
 * @param {number} caret
 * @returns {{start: number, words: string}|null} `start` is the place of the @
 */
export function mentionAt(text, caret) {
  const found = /(?:^|[\s(「（、。,.;:!?])@([^@\n]*)$/u.exec(text.slice(Math.max(0, caret - LONGEST), caret));
  return found ? { start: caret - found[1].length - 1, words: found[1] } : null;
}

/**
 * The members whose name, or a word of it, begins with what was typed.
 * @param {readonly Member[]} members
 * @param {string} words
 */
export function matchingMembers(members, words) {
  const typed = words.toLocaleLowerCase();
  return members.filter(({ name }) => {
    const known = name.toLocaleLowerCase();
    return known.startsWith(typed) || (typed !== "" && known.split(/\s+/).some((word) => word.startsWith(typed)));
  });
}

/**
 * The ids of the members that a text mentions: of two names the longer one, of two members of one name the one chosen.
 * @param {string} text
 * @param {readonly Member[]} members
 * @param {ReadonlyMap<string, string>} [chosen] ids by name
 */
export function mentionsIn(text, members, chosen = new Map()) {
  const ids = new Set();
  for (const part of markMentions(text, members)) {
    if (part.mention) ids.add(chosen.get(part.mention.name) ?? part.mention.id);
  }
  return [...ids].slice(0, MOST);
}

/**
 * A text in parts, of which some are mentions.
 * @param {string} text
 * @param {readonly Member[]} mentions those that it may mention
 * @returns {{text: string, mention: Member|null}[]}
 */
export function markMentions(text, mentions) {
  const longest = [...mentions].filter(({ name }) => name).sort((one, other) => other.name.length - one.name.length);
  const parts = [];
  let plain = "";
  for (let at = 0; at < text.length;) {
    const mention = text[at] === "@" ? longest.find(({ name }) => text.startsWith(name, at + 1) && isEnd(text, at + 1 + name.length)) : undefined;
    if (!mention) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain) parts.push({ text: plain, mention: null });
    plain = "";
    parts.push({ text: `@${mention.name}`, mention });
    at += mention.name.length + 1;
  }
  if (plain) parts.push({ text: plain, mention: null });
  return parts;
}

/** A name ends where no further letter of the same kind of word follows: "@Cy" is not in "@Cyril". */
function isEnd(text, at) {
  return !/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u.test(text.slice(at, at + 2));
}

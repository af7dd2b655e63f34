import { readFace, record, words } from "./card-model.js";

/** How a reaction is drawn; `reacted` names its own sign in its words. */
const SIGNS = {
  loved: "❤️", liked: "👍", disliked: "👎", laughed: "😂", emphasized: "‼️", questioned: "❓",
};
const QUOTED = /[“"「]([\s\S]*)[”"」]/;
const REACTED = /^Reacted (\S+) to /;
/** So many letters has the longest emoji; what has more is none, and would cover the thread. */
const MOST_LETTERS = 12;

/**
 * @typedef {{kind: string, sign: string, message: any}} Tapback
 */

/**
 * Separates reactions from a thread and puts each to the message that it is about. They come as plain
 * texts in the customer's language (protocol 2.2), marked by the server; one whose message is not
 * among these stays where it is.
 * @param {any[]} messages ascending
 * @returns {{messages: any[], tapbacks: Map<string, Tapback>}}
 */
export function sortTapbacks(messages) {
  const tapbacks = new Map();
  const rest = [];
  for (const message of messages) {
    const target = message.tapback ? findTarget(rest, textOf(message)) : null;
    if (!target) rest.push(message);
    else if (message.tapback === "removed") tapbacks.delete(target.id);
    else {
      // One customer has one reaction to a message: the newest.
      tapbacks.set(target.id, {
        kind: message.tapback, message,
        sign: SIGNS[message.tapback] ?? ownSign(textOf(message)) ?? "•",
      });
    }
  }
  return { messages: rest, tapbacks };
}

/** The sign that a reaction names in its words. */
function ownSign(text) {
  const sign = REACTED.exec(text)?.[1] ?? "";
  return sign !== "" && [...sign].length <= MOST_LETTERS ? sign : null;
}

/** The latest message that the quoted words can mean; the business's before the customer's own. */
function findTarget(messages, text) {
  const latest = [...messages].reverse();
  const sides = [
    ...latest.filter((message) => message.direction === "outbound"),
    ...latest.filter((message) => message.direction !== "outbound"),
  ];
  const quoted = QUOTED.exec(text)?.[1].trim();
  if (quoted) return sides.find((message) => says(message, quoted)) ?? null;
  const isCounted = /Business Message/.test(text);
  return sides.find((message) => isCounted
    ? !["text", "richLink"].includes(message.kind)
    : (message.attachments ?? []).length > 0 || message.kind === "richLink") ?? null;
}

function says(message, quoted) {
  const start = quoted.replace(/(…|\.\.\.)$/, "");
  const isCut = start !== quoted;
  return [textOf(message), readFace(message.payload).title].some((text) => {
    const own = text.replaceAll("\u{fffc}", "").trim();
    return own !== "" && (own === quoted || (isCut && own.startsWith(start)));
  });
}

function textOf(message) {
  return words(record(message.payload).body);
}

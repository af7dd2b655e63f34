/**
 * Cuts one member's value out of a JSON object's text, to the byte, without reading it into values
 * (reading and writing again would lose the spelling that was sent).
 * @param {string} text an object, as the server sent it
 * @param {string} key
 * @returns {string|null} null when the object has no such member
 */
export function sliceMember(text, key) {
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return null;
  at = skipSpace(text, at + 1);
  while (text[at] === "\"") {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd));
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    if (name === key) return text.slice(start, end);
    at = skipSpace(text, end);
    if (text[at] !== ",") return null;
    at = skipSpace(text, at + 1);
  }
  return null;
}

function skipSpace(text, from) {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at])) at += 1;
  return at;
}

function endOfString(text, from) {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "\"") return at + 1;
  }
  return text.length;
}

function endOfValue(text, from) {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const letter = text[at];
    if (letter === "\"") {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (letter === "{" || letter === "[") depth += 1;
    if (letter === "}" || letter === "]") {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    if (letter === "," && depth === 0) return at;
    at += 1;
  }
  return at;
}

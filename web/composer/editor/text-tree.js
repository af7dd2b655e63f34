/** Reads half-typed JSON into a tree, as well as it can be understood. Pure. */

/**
 * @typedef {{name: string, keyStart: number, keyEnd: number, isClosed: boolean,
 *   colonEnd: number|null, value: TextNode|null}} Member
 * @typedef {{kind: "object"|"array"|"string"|"number"|"literal", start: number, end: number,
 *   isClosed: boolean, value?: any, members?: Member[], items?: TextNode[]}} TextNode
 * @typedef {{start: number, end: number, sign: string}} Token
 */

/** Deeper values are passed over. */
const depthLimit = 100;

const tokenPattern = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|-?[0-9][0-9.eE+-]*|[A-Za-z]+|[{}[\],:]/g;

/**
 * @param {string} text
 * @returns {{root: TextNode|null, tokens: Token[]}}
 */
export function readTree(text) {
  const tokens = [];
  for (const match of text.matchAll(tokenPattern)) {
    tokens.push({ start: match.index, end: match.index + match[0].length, sign: match[0][0] });
  }
  let at = 0;
  const sign = (ahead = 0) => tokens[at + ahead]?.sign;
  const isKey = () => sign() === '"' && sign(1) === ":";

  const scalar = () => {
    const { start, end, sign: first } = tokens[at];
    at += 1;
    if (first !== '"') {
      const word = text.slice(start, end);
      const kind = /[-0-9]/.test(first) ? "number" : "literal";
      return { kind, start, end, isClosed: true, value: valueOf(word) };
    }
    const { content, isClosed } = contentOf(text.slice(start, end));
    return { kind: "string", start, end, isClosed, value: content };
  };
  const value = (depth) => {
    if (depth > depthLimit) return null;
    if (sign() === "{") return object(depth);
    if (sign() === "[") return array(depth);
    return scalar();
  };
  const close = (node, closing) => {
    if (sign() === closing) {
      node.end = tokens[at].end;
      node.isClosed = true;
      at += 1;
    } else node.end = at < tokens.length ? tokens[at].start : text.length;
    return node;
  };
  const object = (depth) => {
    const node = { kind: "object", start: tokens[at].start, end: 0, isClosed: false, members: [] };
    at += 1;
    while (at < tokens.length && sign() !== "}" && sign() !== "]") {
      if (sign() !== '"') {
        // A stray sign, or a value without a name: passed over.
        if (sign() === "{" || sign() === "[") value(depth + 1) ?? (at += 1);
        else at += 1;
        continue;
      }
      const key = scalar();
      const member = {
        name: key.value, keyStart: key.start, keyEnd: key.end, isClosed: key.isClosed, colonEnd: null, value: null,
      };
      if (sign() === ":") {
        member.colonEnd = tokens[at].end;
        at += 1;
        if (at < tokens.length && !",}]:".includes(sign()) && !isKey()) {
          member.value = value(depth + 1);
          if (member.value === null) break;
        }
      }
      node.members.push(member);
    }
    return close(node, "}");
  };
  const array = (depth) => {
    const node = { kind: "array", start: tokens[at].start, end: 0, isClosed: false, items: [] };
    at += 1;
    while (at < tokens.length && sign() !== "]" && sign() !== "}" && !isKey()) {
      if (sign() === "," || sign() === ":") {
        at += 1;
        continue;
      }
      const item = value(depth + 1);
      if (item === null) break;
      node.items.push(item);
    }
    return close(node, "]");
  };

  while (at < tokens.length && "}],:".includes(sign())) at += 1;
  return { root: at < tokens.length ? value(0) : null, tokens };
}

const contentOf = (quoted) => {
  // The pattern includes a quote only when it ends the text.
  const isClosed = quoted.length > 1 && quoted.endsWith('"') && !/(?:^|[^\\])(?:\\\\)*\\"$/.test(quoted);
  const inner = isClosed ? quoted.slice(1, -1) : quoted.slice(1);
  return { content: inner.includes("\\") ? parsed(`"${inner}"`) ?? inner : inner, isClosed };
};

const valueOf = (word) => parsed(word);

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;  // Safe: half-typed text has no value yet.
  }
};

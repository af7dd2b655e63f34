/**
 * Reads JSON text into tokens with places: for colours, for a first syntax error, for pointers.
 * Strict RFC 8259, without building values. No DOM in here.
 * @typedef {{kind: "key"|"string"|"number"|"literal"|"punctuation", start: number, end: number,
 *   pointer?: string}} Token
 * @typedef {{code: string, offset: number, line: number, column: number}} SyntaxError
 * @typedef {{tokens: Token[], error: SyntaxError|null, places: Map<string, Place>}} Reading
 * @typedef {{start: number, end: number, keyStart: number}} Place
 */

/** Deepest nesting the reader follows; one more level is reported as an error. */
export const depthLimit = 64;

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const plainPattern = /[^"\\\u0000-\u001f]*/y;
const spacePattern = /[ \t\n\r]*/y;

/** The last text and its tokens: a form parses the same text many times. */
let last = { text: "", reading: null };

/**
 * Reads the whole text. Tokens before an error are kept, so that typing keeps its colours.
 * @param {string} text
 * @returns {Reading} shared by all callers, never changed
 */
export function readJSON(text) {
  if (!last.reading || last.text !== text) last = { text, reading: readAll(text) };
  return last.reading;
}

function readAll(text) {
  /** @type {Token[]} */
  const tokens = [];
  /** @type {Map<string, Place>} */
  const places = new Map();
  let at = 0;

  const fail = (code, offset = at) => {
    throw Object.assign(new Error(code), { code, offset, isSyntax: true });
  };
  const skip = () => {
    spacePattern.lastIndex = at;
    spacePattern.exec(text);
    at = spacePattern.lastIndex;
  };
  const take = (kind, end, pointer) => {
    tokens.push(pointer === undefined ? { kind, start: at, end } : { kind, start: at, end, pointer });
    at = end;
  };
  const string = (kind, pointer) => {
    const start = at;
    let i = at + 1;
    for (;;) {
      plainPattern.lastIndex = i;
      plainPattern.exec(text);
      i = plainPattern.lastIndex;
      if (i >= text.length) fail("open_string", start);
      const unit = text.charCodeAt(i);
      if (unit === 0x22) break;
      if (unit < 0x20) fail(unit === 0x0a || unit === 0x0d ? "open_string" : "control_character", i);
      if (unit === 0x5c) {
        const next = text[i + 1];
        if (next === "u") {
          if (!/^[0-9a-fA-F]{4}$/.test(text.slice(i + 2, i + 6))) fail("bad_escape", i);
          i += 6;
        } else {
          if (next === undefined || !'"\\/bfnrt'.includes(next)) fail("bad_escape", i);
          i += 2;
        }
        continue;
      }
    }
    take(kind, i + 1, pointer);
    return text.slice(start, i + 1);
  };
  const value = (pointer, depth, keyStart) => {
    skip();
    const start = at;
    if (at >= text.length) fail("unexpected_end");
    if (depth > depthLimit) fail("too_deep");
    const sign = text[at];
    if (sign === "{") object(pointer, depth);
    else if (sign === "[") array(pointer, depth);
    else if (sign === '"') string("string", pointer);
    else if (sign === "-" || (sign >= "0" && sign <= "9")) {
      numberPattern.lastIndex = at;
      const match = numberPattern.exec(text);
      if (!match) fail("bad_number");
      const end = at + match[0].length;
      if (/[0-9.eE+-]/.test(text[end] ?? "")) fail("bad_number", at);
      take("number", end, pointer);
    } else {
      const word = /^[A-Za-z]+/.exec(text.slice(at, at + 12))?.[0] ?? "";
      if (word !== "true" && word !== "false" && word !== "null") {
        fail(sign === "'" ? "single_quote" : "unexpected_character");
      }
      take("literal", at + word.length, pointer);
    }
    places.set(pointer, { start, end: at, keyStart: keyStart ?? start });
  };
  const object = (pointer, depth) => {
    const seen = new Set();
    take("punctuation", at + 1);
    skip();
    if (text[at] === "}") return take("punctuation", at + 1);
    for (;;) {
      skip();
      const keyStart = at;
      if (at >= text.length) fail("unexpected_end");
      if (text[at] !== '"') fail(text[at] === "}" ? "trailing_comma" : "expected_key");
      const name = JSON.parse(string("key", pointer));
      if (seen.has(name)) fail("repeated_key", keyStart);
      seen.add(name);
      skip();
      if (text[at] !== ":") fail(at >= text.length ? "unexpected_end" : "expected_colon");
      take("punctuation", at + 1);
      value(`${pointer}/${escapePointer(name)}`, depth + 1, keyStart);
      skip();
      if (text[at] === ",") take("punctuation", at + 1);
      else if (text[at] === "}") return take("punctuation", at + 1);
      else fail(at >= text.length ? "unexpected_end" : "expected_comma");
    }
  };
  const array = (pointer, depth) => {
    take("punctuation", at + 1);
    skip();
    if (text[at] === "]") return take("punctuation", at + 1);
    for (let index = 0; ; index += 1) {
      skip();
      if (text[at] === "]") fail("trailing_comma");
      value(`${pointer}/${index}`, depth + 1);
      skip();
      if (text[at] === ",") take("punctuation", at + 1);
      else if (text[at] === "]") return take("punctuation", at + 1);
      else fail(at >= text.length ? "unexpected_end" : "expected_comma");
    }
  };

  try {
    if (text.charCodeAt(0) === 0xfeff) fail("byte_order_mark");
    value("", 0);
    skip();
    if (at < text.length) fail("trailing_text");
    return { tokens, error: null, places };
  } catch (error) {
    if (!error.isSyntax) throw error;
    const { line, column } = lineAndColumn(text, error.offset);
    return { tokens, error: { code: error.code, offset: error.offset, line, column }, places };
  }
}

const loosePattern = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|-?[0-9][0-9.eE+-]*|true|false|null|[{}[\],:]/g;

/**
 * Tokens of text that does not read, from a place on: good enough for colours, never for meaning.
 * @param {string} text
 * @param {number} from
 * @returns {Token[]}
 */
export function readLoosely(text, from) {
  const tokens = [];
  loosePattern.lastIndex = from;
  for (let match = loosePattern.exec(text); match; match = loosePattern.exec(text)) {
    const [word] = match;
    const end = match.index + word.length;
    const isKey = word[0] === '"' && /^[ \t\r\n]*:/.test(text.slice(end, end + 40));
    const kind = isKey ? "key" : word[0] === '"' ? "string" : /^[-0-9]/.test(word) ? "number"
      : /^[a-z]/.test(word) ? "literal" : "punctuation";
    tokens.push({ kind, start: match.index, end });
  }
  return tokens;
}

/** One member name or index as it is written inside a JSON Pointer. */
export function escapePointer(name) {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Line and column, both from 1, columns in UTF-16 units. */
export function lineAndColumn(text, offset) {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", start)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

/** The place of a pointer, or of its nearest ancestor that exists. */
export function placeOf(places, pointer) {
  for (let name = pointer ?? ""; ; name = name.slice(0, name.lastIndexOf("/"))) {
    const place = places.get(name);
    if (place) return place;
    if (!name.includes("/")) return null;
  }
}

/**
 * Turns a byte offset in the text's UTF-8 into an offset in UTF-16 units.
 * @param {string} text
 * @param {number} byteOffset
 */
export function unitOffset(text, byteOffset) {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (bytes >= byteOffset) return i;
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      bytes += 4;
      i += 1;
    } else bytes += 3;
  }
  return text.length;
}

/** How many bytes the text has in UTF-8. */
export function byteCount(text) {
  return new TextEncoder().encode(text).length;
}

/**
 * Replaces one value in the text and leaves every other byte alone.
 * @param {string} text
 * @param {string} pointer
 * @param {unknown} newValue
 * @returns {string} the text as it was when the pointer does not exist
 */
export function replaceValue(text, pointer, newValue) {
  const { places, error } = readJSON(text);
  const place = error ? null : places.get(pointer);
  if (!place) return text;
  return text.slice(0, place.start) + JSON.stringify(newValue) + text.slice(place.end);
}

/**
 * Lays JSON out with two spaces a level; tokens keep their bytes, so numbers and escapes stay.
 * @param {string} text that reads without an error
 */
export function layOut(text) {
  const { tokens } = readJSON(text);
  let out = "";
  let depth = 0;
  tokens.forEach(({ kind, start, end }, index) => {
    const token = text.slice(start, end);
    const next = tokens[index + 1];
    const nextToken = next ? text.slice(next.start, next.end) : "";
    const breakLine = () => `\n${"  ".repeat(depth)}`;
    if (kind !== "punctuation") {
      out += token;
    } else if (token === "{" || token === "[") {
      depth += 1;
      out += token + (nextToken === "}" || nextToken === "]" ? "" : breakLine());
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const previous = text.slice(tokens[index - 1].start, tokens[index - 1].end);
      const wasEmpty = tokens[index - 1].kind === "punctuation" && (previous === "{" || previous === "[");
      out += (wasEmpty ? "" : breakLine()) + token;
    } else {
      out += token === "," ? token + breakLine() : `${token} `;
    }
  });
  return out;
}

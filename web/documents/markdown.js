/**
 * The Markdown of our own documents, as a tree: headings, paragraphs, lists, tables, code, and within a line code,
 * strong and emphasized words, links. What it does not know stays text.
 *
 * @typedef {{tag: string, attributes?: Record<string, string>, children: Part[]}} Element
 * @typedef {string|Element} Part
 */

const ITEM = /^( *)(?:[-*]|(\d+)\.) +/;
const RULE = /^\|?(?: *:?-+:? *\|)+ *:?-* *:? *$/;
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|(?<!\w)[*_]([^*_\s](?:[^*_]*[^*_\s])?)[*_](?!\w)|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)/g;
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!|<>])/g;

/**
 * Reads a document.
 * @param {string} text
 * @returns {Element[]}
 */
export function readMarkdown(text) {
  return distinct(blocks(text.replace(/<!--[\s\S]*?-->/g, "").split("\n")));
}

/**
 * Where a link of a document leads on the server; null where it leads out of the served documents.
 *
 * Documents link to each other by their files' names, and their pages have no `.md`; a folder's README is the page of the folder.
 * @param {string} href as it stands in the document
 * @param {string} here the path of the page
 */
export function address(href, here) {
  if (/^https?:\/\//.test(href) || /^#[\w-]+$/.test(href)) return href;
  if (!/^[\w./#-]+$/.test(href)) return null;
  const { host, pathname, hash } = new URL(href, `http://here${here}`);
  if (host !== "here") return null;
  if (!href.startsWith("/") && !pathname.startsWith("/docs/")) return null;
  return pathname.replace(/(README)?\.md$/, "") + hash;
}

/** Headings of the same words get names of their own: `#limits`, `#limits-1`. */
function distinct(elements) {
  const seen = new Map();
  for (const { attributes } of elements) {
    if (!attributes?.id) continue;
    const count = seen.get(attributes.id) ?? 0;
    seen.set(attributes.id, count + 1);
    if (count) attributes.id += `-${count}`;
  }
  return elements;
}

/** The words of a part without its marks. @param {Part} part */
export function plainText(part) {
  return typeof part === "string" ? part : part.children.map(plainText).join("");
}

/** The name of a heading in an address: `#what-a-schema-says`. @param {string} words */
export function slug(words) {
  return words.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").trim().replaceAll(" ", "-");
}

function blocks(lines) {
  const found = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const reader = READERS.find(({ begins }) => begins(line, lines[at + 1] ?? ""));
    if (!line.trim()) {
      at += 1;
    } else {
      const { element, next } = (reader ?? { read: readParagraph }).read(lines, at);
      found.push(element);
      at = next;
    }
  }
  return found;
}

const READERS = [
  { begins: (line) => /^ *(```|~~~)/.test(line), read: readCode },
  { begins: (line) => /^#{1,6} /.test(line), read: readHeading },
  { begins: (line) => /^(---+|\*\*\*+) *$/.test(line), read: (_, at) => ({ element: { tag: "hr", children: [] }, next: at + 1 }) },
  { begins: (line, next) => line.includes("|") && RULE.test(next), read: readTable },
  { begins: (line) => ITEM.test(line), read: readList },
  { begins: (line) => /^ *>/.test(line), read: readQuote },
];

function readCode(lines, at) {
  const fence = lines[at].trim().slice(0, 3);
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
  const text = lines.slice(at + 1, end).join("\n");
  return { element: { tag: "pre", children: [{ tag: "code", children: [text] }] }, next: end + 1 };
}

function readHeading(lines, at) {
  const [, marks, words] = lines[at].match(/^(#+) +(.*?) *#*$/);
  const children = inline(words);
  const id = slug(children.map(plainText).join(""));
  return { element: { tag: `h${marks.length}`, attributes: { id }, children }, next: at + 1 };
}

function readParagraph(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim()
    && !READERS.some(({ begins }) => begins(lines[end], lines[end + 1] ?? ""))) end += 1;
  const text = lines.slice(at, end).map((line) => line.trim()).join(" ");
  return { element: { tag: "p", children: inline(text) }, next: end };
}

function readTable(lines, at) {
  const row = (line, tag) => ({ tag: "tr", children: cells(line).map((text) => ({ tag, children: inline(text) })) });
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  return {
    element: { tag: "table", children: [
      { tag: "thead", children: [row(lines[at], "th")] },
      { tag: "tbody", children: lines.slice(at + 2, end).map((line) => row(line, "td")) },
    ] },
    next: end,
  };
}

/** The cells of a row; a bar within code or after a backslash ends none. */
function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return (inner.match(/(?:\\.|`[^`]*`|[^|\\])*(?:\||$)/g) ?? []).slice(0, -1)
    .map((cell) => cell.replace(/\|$/, "").trim());
}

function readList(lines, at) {
  const [, indent, number] = lines[at].match(ITEM);
  const items = [];
  let end = at;
  while (end < lines.length) {
    const item = lines[end].match(ITEM);
    if (!item || item[1].length !== indent.length) break;
    const inner = [lines[end].slice(item[0].length)];
    end += 1;
    while (end < lines.length && belongs(lines, end, indent.length)) {
      inner.push(lines[end].slice(Math.min(item[0].length, lines[end].search(/\S|$/))));
      end += 1;
    }
    const children = blocks(inner);
    items.push({ tag: "li", children: children.length === 1 && children[0].tag === "p" ? children[0].children : children });
    while (end < lines.length && !lines[end].trim() && ITEM.test(lines[end + 1] ?? "")) end += 1;
  }
  return { element: { tag: number ? "ol" : "ul", children: items }, next: end };
}

/** Whether a line goes on an item: it is indented more, or it is text that follows without an empty line. */
function belongs(lines, at, indent) {
  const line = lines[at];
  if (!line.trim()) return /^ +\S/.test(lines[at + 1] ?? "") && lines[at + 1].search(/\S/) > indent;
  if (line.search(/\S/) > indent) return true;
  return Boolean(lines[at - 1].trim()) && !READERS.some(({ begins }) => begins(line, lines[at + 1] ?? ""));
}

function readQuote(lines, at) {
  let end = at;
  while (end < lines.length && /^ *>/.test(lines[end])) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ *> ?/, ""));
  return { element: { tag: "blockquote", children: blocks(inner) }, next: end };
}

function inline(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) parts.push(unescaped(text.slice(at, match.index)));
    const [whole, code, strong, emphasis, words, address] = match;
    if (code !== undefined) parts.push({ tag: "code", children: [code] });
    else if (strong !== undefined) parts.push({ tag: "strong", children: inline(strong) });
    else if (emphasis !== undefined) parts.push({ tag: "em", children: inline(emphasis) });
    else parts.push({ tag: "a", attributes: { href: address }, children: inline(words) });
    at = match.index + whole.length;
  }
  if (at < text.length) parts.push(unescaped(text.slice(at)));
  return parts;
}

function unescaped(text) {
  return text.replace(ESCAPED, "$1");
}

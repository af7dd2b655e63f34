import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";

const root = new URL("../../web/", import.meta.url);
const folder = new URL("lib/fonts/", root);
const fonts = readdirSync(folder).filter((name) => name.endsWith(".woff2"));
const read = (name) => readFileSync(new URL(name, root), "utf8");

/** The tags that WOFF2 numbers (W3C WOFF2, 5.2), as far as these fonts have them. */
const KNOWN = { 0: "cmap", 1: "head", 2: "hhea", 3: "hmtx", 4: "maxp", 5: "name", 6: "OS/2", 7: "post", 13: "CFF ",
  26: "GDEF", 27: "GPOS", 28: "GSUB" };

/** The tables of a WOFF2 file of CFF outlines, by tag; of these only `hmtx` may be transformed. */
function tables(bytes) {
  assert.equal(bytes.toString("latin1", 0, 4), "wOF2");
  let at = 48;
  const number = () => {
    for (let value = 0; ;) {
      const byte = bytes[at];
      at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  const entries = Array.from({ length: bytes.readUInt16BE(12) }, () => {
    const flags = bytes[at];
    at += 1;
    const tag = KNOWN[flags & 63];
    assert.ok(tag, `table ${flags & 63}`);
    const plain = number();
    return [tag, flags >> 6 ? number() : plain];
  });
  const content = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)));
  let from = 0;
  return new Map(entries.map(([tag, length]) => [tag, content.subarray(from, from += length)]));
}

/** The characters that a font's map names, from its subtable of format 4. */
function characters(cmap) {
  const found = new Set();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const start = cmap.readUInt32BE(4 + 8 * index + 4);
    if (cmap.readUInt16BE(start) !== 4) continue;
    const count = cmap.readUInt16BE(start + 6) / 2;
    for (let segment = 0; segment < count; segment += 1) {
      const last = cmap.readUInt16BE(start + 14 + 2 * segment);
      const first = cmap.readUInt16BE(start + 16 + 2 * count + 2 * segment);
      for (let code = first; code <= last && code < 0xffff; code += 1) found.add(code);
    }
  }
  return found;
}

/** Every character of the English texts that is not an emoji. */
function wanted() {
  const texts = readdirSync(new URL("i18n/en/", root)).map((name) => read(`i18n/en/${name}`)).join("");
  return new Set([...texts].filter((one) => !/[\p{Extended_Pictographic}\n\ufe0f]/u.test(one)));
}

test("each weight of the shipped font has every character of the English pages and of European names", () => {
  assert.deepEqual(fonts.map((name) => name.split(".")[0]), ["inter-400", "inter-500", "inter-600"]);
  const names = "ÀÉÎÕÜçñøåßæœŁžşğİőűčřțāēīū’“”–…€£¥₺→✓";
  for (const font of fonts) {
    const known = characters(tables(readFileSync(new URL(font, folder))).get("cmap"));
    const missing = [...wanted(), ...names].filter((one) => !known.has(one.codePointAt(0)));
    assert.deepEqual(missing, [], font);
  }
});

test("each weight has tabular figures, and the single-storey a as its letter", () => {
  for (const font of fonts) {
    const features = tables(readFileSync(new URL(font, folder))).get("GSUB").toString("latin1");
    assert.ok(features.includes("tnum"), font);
    assert.ok(!features.includes("cv11"), font);
  }
});

test("a font's name has the mark of its content, and the style sheet names each font with its weight", () => {
  const sheet = read("lib/fonts/fonts.css");
  for (const font of fonts) {
    const mark = createHash("sha256").update(readFileSync(new URL(font, folder))).digest("hex").slice(0, 12);
    const [, weight, named] = font.match(/^inter-(\d+)\.(\w+)\.woff2$/);
    assert.equal(named, mark);
    assert.match(sheet, new RegExp(`font-weight: ${weight};[^}]*/web/lib/fonts/${font}"`));
  }
  assert.equal(sheet.match(/\.woff2/g).length, fonts.length);
});

test("no style asks for a weight that is not shipped", () => {
  const sources = readdirSync(root, { recursive: true }).filter((name) => /\.(css|js)$/.test(name) && !name.startsWith("lib/fonts/"));
  const weights = sources.flatMap((name) => [...read(name).matchAll(/font(?:-weight)?: *([1-9]\d\d|bold(?:er)?)\b/g)]
    .map((match) => `${match[1]} in ${name}`));
  assert.ok(weights.length > 50);
  assert.deepEqual(weights.filter((one) => !/^(400|500|600) /.test(one)), []);
});

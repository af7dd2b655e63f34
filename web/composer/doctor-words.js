/** The defects of a text, in the reader's language. The server describes them in English. */
import { language } from "../lib/i18n.js";

/** By the defect's id. */
const japanese = {
  "too-large": "テキストが大きすぎるため、調べていません。",
  "gzip": "まだ圧縮されています。展開するか、受け取る側が展開する場合は Content-Encoding: gzip を付けてください。",
  "utf-16": "UTF-16 で書かれています。UTF-8 で保存してください。",
  "utf-32": "UTF-32 で書かれています。UTF-8 で保存してください。",
  "byte-order-mark": "先頭に BOM(バイト順マーク)があります。BOM なしの UTF-8 で保存してください。",
  "cesu-8": "CESU-8 で書かれています(一部のデータベースや Java が UTF-8 と呼ぶもの)。各文字を 4 バイトの UTF-8 で書いてください。",
  "windows-1252": "Windows-1252 で書かれています。UTF-8 で保存してください。",
  "base64-text": "全体が base64 になっています。元のバイト列をそのまま送ってください。",
  "hex-text": "全体が 16 進になっています。元のバイト列をそのまま送ってください。",
  "percent-encoded-text": "全体がフォームのようにパーセント符号化されています。JSON をそのまま本文にしてください。",
  "html-escaped": "引用符が HTML の書き方になっています。ページではなくソースから写してください。",
  "log-line": "JSON の前後に、ログの行のような余分な文字があります。JSON だけを写してください。",
  "log-record": "メッセージがログの記録の中の文字列になっています。その文字列だけを写してください。",
  "escaped-json": "JSON が文字列の中に入っています(引用符がエスケープされています)。ログか、2 度目の JSON.stringify によるものです。",
  "several-texts": "複数の JSON が並んでいます。1 件ずつに分けてください。",
  "smart-quotes": "JSON の引用符が “ ” のような飾りの引用符に変わっています。エディターかチャットによるものです。",
  "single-quotes": "文字列がアポストロフィで囲まれています(Python や JavaScript の表示)。json.dumps か JSON.stringify で出力してください。",
  "bare-keys": "キーに引用符がありません。JSON.stringify で出力してください。",
  "trailing-comma": "最後の要素の後にカンマがあります。JSON では書けません。",
  "comment": "注釈があります。JSON には書けません。",
  "python-words": "Python の言葉(True、False、None)があります。json.dumps で出力してください。",
  "invisible-character": "値の間に見えない文字があります。写したときに入ったものです。",
  "escaped-space": "値の間の改行が \\n と書かれています。ログによるものです。",
  "raw-control": "文字列の中に改行などの制御文字がそのまま入っています。",
  "bad-escape": "JSON にないエスケープがあります。",
  "lone-surrogate": "エスケープが対の片方だけです。U+FFFF を超える文字の途中で切れています。",
  "json-in-string": "値が JSON の文字列になっています。JSON.stringify を使わず、値をそのまま入れてください。",
  "hex-for-base64": "値が 16 進です。数字ではなくバイト列を base64 にしてください。",
  "base64-of-hex": "16 進にしたものを base64 にしています。元のバイト列を base64 にしてください。",
  "base64-twice": "base64 が 2 重になっています。1 回だけにしてください。",
  "base64-of-gzip": "gzip で圧縮したものを base64 にしています。元のバイト列を base64 にしてください。",
  "base64url": "- と _ を使う base64url です。+ と / を使い、= で埋める標準の base64 にしてください。",
  "base64-layout": "標準の base64 の形ではありません。改行なしの 1 行で、4 の倍数になるまで = で埋めて書いてください。",
  "data-url": "data: で始まるアドレスです。カンマまでを取り除いてください。",
  "base64-for-hex": "base64 で書かれています。ここは 16 進の数字で書いてください。",
  "double-percent-encoding": "アドレスが 2 重にパーセント符号化されています。1 回だけにしてください。",
  "percent-encoded-url": "アドレス全体がパーセント符号化されています。そのまま書いてください。",
  "outside-plane": "このフィールドの文書に定められた範囲を超える文字、または見た目の似た別の文字があります。",
};

/**
 * @param {{id: string, sentence: string}} defect
 * @returns {{words: string, lang: string|null}} `lang` where it is not the page's
 */
export function defectWords({ id, sentence }) {
  if (language() === "en") return { words: sentence, lang: null };
  const own = language() === "ja" ? japanese[id] : undefined;
  return own ? { words: own, lang: null } : { words: sentence, lang: "en" };
}

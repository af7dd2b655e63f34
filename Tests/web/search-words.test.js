import assert from "node:assert/strict";
import { test } from "node:test";
import { searchFault } from "../../web/console/search-words.js";

for (const [name, words, fault] of [
  ["a word", "samovar", ""],
  ["a digit beside signs", "#4!", ""],
  ["one letter of Japanese", "茶", ""],
  ["nothing", "", "filter.noWord"],
  ["a picture of a hand", "👍", "filter.noWord"],
  ["signs", "(-%)", "filter.noWord"],
  ["85 letters of three bytes", "茶".repeat(85), ""],
  ["86 letters of three bytes", "茶".repeat(86), "filter.tooLong"],
  ["sixteen words, one of them twice", `${Array.from({ length: 16 }, (_, place) => `w${place}`).join(" ")} w0`, ""],
  ["seventeen words", Array.from({ length: 17 }, (_, place) => `w${place}`).join(" "), "filter.tooLong"],
]) {
  test(`of ${name} it is known whether a search can find it`, () => assert.equal(searchFault(words), fault));
}

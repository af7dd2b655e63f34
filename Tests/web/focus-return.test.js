import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { h, replace } from "../../web/lib/dom.js";
import { focusAgain, rememberPlace, successorOf } from "../../web/lib/focus-return.js";
import { makePage } from "./small-dom.js";

let part;
let list;

/** A button that a menu can be opened from, and another beside it. */
const buttons = (name) => [h("button", { class: "open", "aria-label": `Open ${name}` }), h("button", { class: "more", "aria-label": "More" })];
const row = (key) => h("li", { dataset: { key } }, buttons(key));
const menuOf = (key) => list.children.find((one) => one.dataset.key === key).children[1];

beforeEach(() => {
  makePage();
  list = h("ul", null, ["ada", "ben"].map(row));
  part = h("section", { tabindex: "-1" }, list);
  document.body.append(part);
});

test("the focus returns to the control itself while it is in the page", () => {
  const menu = menuOf("ben");
  rememberPlace(menu);
  focusAgain(menu);
  assert.equal(document.activeElement, menu);
});

test("the focus returns to the menu of the same row after the rows were drawn anew", () => {
  const menu = menuOf("ben");
  rememberPlace(menu);
  replace(list, ["cleo", "ada", "ben"].map(row));
  focusAgain(menu);
  assert.equal(document.activeElement, menuOf("ben"));
});

test("the focus returns to a control whose words are others now", () => {
  const head = (state) => h("div", null, h("button", { class: "later is-quiet", "aria-label": state }), h("button", { class: "later", "aria-label": "Other" }));
  const known = head("Open");
  replace(part, known);
  rememberPlace(known.children[0]);
  const fresh = head("Snoozed");
  replace(part, fresh);
  assert.equal(successorOf(known.children[0]), fresh.children[0]);
});

test("one of several in a place is found by its name, whatever came before it", () => {
  const facts = (...names) => names.map((menu) => h("button", { class: "fact", dataset: { menu } }));
  replace(part, facts("team", "labels"));
  const labels = part.children[1];
  rememberPlace(labels);
  replace(part, facts("priority", "team", "labels"));
  assert.equal(successorOf(labels), part.children[2]);
});

test("the focus goes to what is around a row that is gone", () => {
  const menu = menuOf("ben");
  rememberPlace(menu);
  replace(list, row("ada"));
  assert.equal(successorOf(menu), null);
  focusAgain(menu);
  assert.equal(document.activeElement, part);
});

test("the focus goes to what is around a control that cannot have it any more", () => {
  const menu = menuOf("ben");
  rememberPlace(menu);
  menu.setAttribute("disabled", "");
  focusAgain(menu);
  assert.equal(document.activeElement, part);
});

test("a page that is wholly another has no control in the place of one of the former", () => {
  const menu = menuOf("ben");
  rememberPlace(menu);
  replace(document.body, h("section", null, h("ul", null, row("ben"), row("ben"))));
  assert.equal(successorOf(menu), null);
});

test("a control that was never remembered has no successor", () => {
  assert.equal(successorOf(h("button", null)), null);
});

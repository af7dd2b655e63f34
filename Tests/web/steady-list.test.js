import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { h } from "../../web/lib/dom.js";
import { placeNodes, reconcile, redraw, replaceKeepingFocus } from "../../web/lib/reconcile.js";
import { SteadyList } from "../../web/lib/steady-list.js";
import { makePage, turn } from "./small-dom.js";

const MOUSE = { button: 0 };
let fire;
let part;
let steady;
let draws;

/** Draws a button and a field anew, and counts it. */
const make = (...more) => () => {
  draws += 1;
  return [...more, h("button", { type: "button" }), h("input", { id: "name", value: `Name ${draws}` })];
};
const button = () => part.children.find((one) => one.localName === "button" && !one.id);
const field = () => part.children.find((one) => one.id === "name");

beforeEach(() => {
  fire = makePage();
  part = h("div", null);
  document.body.append(part);
  draws = 0;
  steady = new SteadyList(part);
  steady.draw(make());
});

test("a part is not drawn while a press in it is held, and is after the click", async () => {
  fire(button(), "pointerdown", MOUSE);
  const pressed = button();
  let clicks = 0;
  pressed.addEventListener("click", () => { clicks += 1; });
  steady.draw(make());
  steady.draw(make());
  await turn();
  assert.equal(draws, 1);
  fire(pressed, "pointerup");
  fire(pressed, "click");
  assert.deepEqual([clicks, draws], [1, 1]);
  await turn();
  assert.equal(draws, 2);
});

test("the space bar presses from its key down to its key up, and another mouse button never", async () => {
  fire(button(), "keydown", { key: " ", repeat: false });
  fire(button(), "keydown", { key: " ", repeat: true });
  steady.draw(make());
  assert.equal(draws, 1);
  fire(button(), "keyup");
  await turn();
  assert.equal(draws, 2);
  fire(button(), "pointerdown", { button: 2 });
  steady.draw(make());
  assert.equal(draws, 3);
});

test("the open list of a select is not closed by what comes", async () => {
  steady.draw(make(h("select", { name: "state" })));
  const select = part.children[0];
  fire(select, "pointerdown", MOUSE);
  fire(select, "pointerup");
  await turn();
  steady.draw(make());
  assert.equal(draws, 2);
  fire(select, "change");
  await turn();
  assert.equal(draws, 3);
});

test("the list of a select is closed by Enter, by Escape and by the next press elsewhere too", async () => {
  const keys = ["Enter", "Escape"].map((key) => (select) => fire(select, "keyup", { key }));
  const closings = [...keys, () => fire(document.body, "pointerdown", MOUSE)];
  for (const close of closings) {
    steady.draw(make(h("select", { name: "state" })));
    const [select, before] = [part.children[0], draws];
    fire(select, "pointerdown", MOUSE);
    fire(select, "pointerup");
    fire(select, "keyup", { key: "ArrowDown" });
    await turn();
    steady.draw(make());
    assert.equal(draws, before);
    close(select);
    await turn();
    assert.equal(draws, before + 1);
  }
});

test("a press that becomes a menu or a drag is none any more", async () => {
  for (const type of ["contextmenu", "dragend"]) {
    const before = draws;
    fire(button(), "pointerdown", MOUSE);
    steady.draw(make());
    assert.equal(draws, before);
    fire(button(), type);
    await turn();
    assert.equal(draws, before + 1);
  }
});

test("what is half typed stays until it is passed on", async () => {
  const typed = field();
  typed.focus();
  typed.value = "Half";
  steady.draw(make());
  assert.equal(field(), typed);
  fire(typed, "change");
  fire(typed, "focusout");
  await turn();
  assert.equal(field().value, "Name 2");
});

test("what a field was drawn with is not taken for typed", () => {
  field().focus();
  steady.draw(make());
  assert.equal(field().value, "Name 2");
  assert.equal(document.activeElement, field());
});

test("what is drawn because of a change comes after the focus has gone on", async () => {
  const typed = field();
  typed.addEventListener("change", () => steady.draw(make()));
  typed.value = "Another";
  fire(typed, "change");
  button().focus();
  assert.equal(draws, 1);
  await turn();
  assert.equal(draws, 2);
  assert.equal(document.activeElement, button());
});

test("what a press asked for takes the place of what waited", async () => {
  fire(button(), "pointerdown", MOUSE);
  steady.draw(make());
  fire(button(), "pointerup");
  const editor = h("form", null);
  steady.drawNow(() => [editor]);
  await turn();
  assert.deepEqual(part.children, [editor]);
});

test("a part says that it was drawn", () => {
  let count = 0;
  const other = new SteadyList(h("div", null), () => { count += 1; });
  other.draw(() => []);
  other.drawNow(() => []);
  assert.equal(count, 2);
});

test("focus and typed words stay with the field of the same name, whatever came above it", () => {
  field().value = "Half typed";
  button().focus();
  replaceKeepingFocus(part, make(h("input", { id: "team" }), h("button", { id: "more" })));
  assert.deepEqual(part.children.map(({ value }) => value), ["", undefined, undefined, "Half typed"]);
  assert.equal(document.activeElement, button());
});

test("a control that stays the same node keeps the focus while it is moved", () => {
  const menu = h("button", { id: "menu" });
  steady.draw(() => [menu]);
  menu.focus();
  steady.draw(() => [h("div", null, menu)]);
  assert.equal(document.activeElement, menu);
});

test("a control that stays the same node keeps the focus when others without a name come before it", () => {
  const [menu, other] = [h("button", null), h("button", null)];
  steady.draw(() => [menu]);
  menu.focus();
  steady.draw(() => [other, menu]);
  assert.equal(document.activeElement, menu);
});

test("the focus stays with the row of the same person", () => {
  const rows = (...people) => people.map((person) => h("li", { dataset: { person } }, h("button", { title: person })));
  steady.draw(() => rows("ada", "ben"));
  part.children[1].children[0].focus();
  steady.draw(() => rows("cleo", "ada", "ben"));
  assert.equal(document.activeElement.getAttribute("title"), "ben");
});

test("what folds keeps the focus of its row too", () => {
  const rows = (...people) => people.map((person) => h("li", { dataset: { person } }, h("details", null, h("summary", { title: person }))));
  steady.draw(() => rows("ada", "ben"));
  part.children[1].children[0].children[0].focus();
  steady.draw(() => rows("cleo", "ada", "ben"));
  assert.equal(document.activeElement.getAttribute("title"), "ben");
});

test("what was drawn and took the focus itself keeps it", () => {
  const [name, other] = [h("input", { id: "editor" }), h("button", null)];
  name.connectedCallback = () => name.focus();
  button().focus();
  steady.drawNow(() => [name, other]);
  assert.equal(document.activeElement, name);
});

test("rows that are in their places are not touched", () => {
  const [one, two, three] = ["one", "two", "three"].map((key) => h("li", { dataset: { key } }));
  const list = h("ul", null, one, two);
  let moves = 0;
  const insert = list.insertBefore.bind(list);
  list.insertBefore = (...node) => {
    moves += 1;
    insert(...node);
  };
  placeNodes(list, [three, one, two]);
  assert.deepEqual([list.children, moves], [[three, one, two], 1]);
  placeNodes(list, [three, two]);
  assert.deepEqual([list.children, moves], [[three, two], 1]);
});

test("what is named stays the same node when others come and go beside it", () => {
  const views = (...names) => h("ul", null, names.map((view) => h("li", null, h("button", { dataset: { view }, title: `${names.length} views` }))));
  const list = views("mine", "all");
  const [mine, all] = list.children;
  document.body.append(list);
  all.children[0].focus();
  reconcile(list, views("due", "mine", "all", "closed"));
  assert.deepEqual(list.children.map((one) => one.children[0].dataset.view), ["due", "mine", "all", "closed"]);
  assert.deepEqual([list.children[1], list.children[2]], [mine, all]);
  assert.equal(all.children[0].getAttribute("title"), "4 views");
  assert.equal(document.activeElement, all.children[0]);
  reconcile(list, views("all"));
  assert.deepEqual(list.children, [all]);
});

test("a named list and its named facts stay the same nodes when a fact and a part come", () => {
  const panel = (isMore, ...facts) => h("div", null, h("dl", { dataset: { part: "facts" } }, facts.map((fact) =>
    [h("dt", { dataset: { fact } }), h("dd", { dataset: { fact } }, h("button", { dataset: { menu: fact } }))])),
  isMore ? h("section", { dataset: { part: "notes" } }) : null);
  const known = panel(false, "Labels");
  const [list, name, value] = [known.children[0], ...known.children[0].children];
  const pressed = value.children[0];
  reconcile(known, panel(true, "Team", "Labels"));
  assert.equal(known.children.length, 2);
  assert.equal(known.children[0], list);
  assert.deepEqual([list.children[2], list.children[3], list.children[3].children[0]], [name, value, pressed]);
});

test("a button keeps its icon while its words change, and says that its menu is open", () => {
  const control = h("button", { "aria-haspopup": "menu", "aria-expanded": "true" }, h("svg", null), h("span", { title: "1" }));
  const [icon] = control.children;
  redraw(control, h("svg", null), h("span", { title: "2" }));
  assert.equal(control.children[0], icon);
  assert.equal(control.children[1].getAttribute("title"), "2");
  reconcile(control, h("button", { "aria-haspopup": "menu", "aria-expanded": "false", title: "New" }, h("svg", null), h("span", { title: "2" })));
  assert.deepEqual([control.getAttribute("aria-expanded"), control.getAttribute("title")], ["true", "New"]);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { all, makePanelPage } from "./panel-page.js";

let redrawn;
makePanelPage();
const { h, replace } = await import("../../web/lib/dom.js");
const { openMenu, openPopup } = await import("../../web/lib/popup.js");

/** As the thread draws them: the row of a message with its menu button, and the place on screen of those below it. */
const message = (id) => h("li", { dataset: { id } }, h("div", null, h("button", { class: "more", "aria-haspopup": "menu", "aria-label": `More of ${id}` })));
const thread = (...ids) => replace(list, ids.map(message));
const more = (id) => all(list).find((one) => one.getAttribute("aria-label") === `More of ${id}`);
const popups = () => document.body.children.filter((one) => one.getAttribute("popover"));
const menu = (id, onClose) => openMenu(more(id), [{ text: "Erase", run() {} }], { label: "More", onClose });
let list;

beforeEach(() => {
  makePanelPage();
  Element.prototype.showPopover = () => {};
  Element.prototype.getBoundingClientRect = function place() {
    const top = all(list).indexOf(this) * 10;
    return { top, bottom: top + 10, left: 0, right: 10 };
  };
  Object.defineProperty(Element.prototype, "style", { configurable: true, get() { return (this.styles ??= Object.assign({}, { setProperty(name, value) { this[name] = value; } })); } });
  Object.assign(Element.prototype, { offsetHeight: 40, offsetWidth: 100 });
  Object.assign(globalThis, {
    innerHeight: 1000, innerWidth: 1000, ShadowRoot: class {},
    MutationObserver: class {
      constructor(look) { redrawn = look; }
      observe() {}
      disconnect() {}
    },
  });
  list = h("ol", { tabindex: "0" });
  document.body.append(list);
  document.addEventListener = () => {};
  thread("one", "two");
});

test("a menu stays at its message when the thread is drawn anew while it is open", () => {
  menu("two");
  const [before] = popups();
  const top = before.style.top;
  thread("zero", "one", "two");
  redrawn();
  const [popup, ...others] = popups();
  assert.deepEqual([popup === before, others.length], [true, 0]);
  assert.notEqual(popup.style.top, top);
  assert.equal(more("two").getAttribute("aria-expanded"), "true");
  // A second press of the button that is there now closes it.
  assert.equal(menu("two"), false);
  assert.equal(popups().length, 0);
  assert.equal(more("two").getAttribute("aria-expanded"), "false");
  assert.equal(document.activeElement, more("two"));
});

test("a menu whose message has none any more is closed, and the focus goes to the thread", () => {
  let closed = 0;
  menu("two", () => { closed += 1; });
  thread("one");
  redrawn();
  assert.deepEqual([popups().length, closed], [0, 1]);
  assert.equal(document.activeElement, list);
});

test("a form beside a button that is gone stays, with what is typed in it", () => {
  const field = h("input", null);
  openPopup(more("two"), field, { label: "Form" });
  field.focus();
  thread("one");
  redrawn();
  assert.equal(popups().length, 1);
  assert.equal(document.activeElement, field);
});

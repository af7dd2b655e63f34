const FOCUSABLE = ["a", "button", "input", "select", "textarea", "summary"];

/** As much of a page as redrawing needs: elements with attributes, children, fields and one focus. */
class Element extends EventTarget {
  children = [];
  parent = null;
  dataset = {};
  #attributes = new Map();

  constructor(localName) {
    super();
    this.localName = localName;
  }

  get nodeName() { return this.localName.toUpperCase(); }
  get parentNode() { return this.parent; }
  get childNodes() { return [...this.children]; }
  get firstElementChild() { return this.children[0] ?? null; }
  get attributes() { return [...this.#attributes].map(([name, value]) => ({ name, value })); }
  get id() { return this.getAttribute("id") ?? ""; }
  set id(id) { this.setAttribute("id", id); }
  get name() { return this.getAttribute("name") ?? ""; }
  get isConnected() { return this === document.body || Boolean(this.parent?.isConnected); }

  hasAttribute(name) { return this.#attributes.has(name); }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { this.#attributes.delete(name); }
  getRootNode() { return document; }
  /** Only a control, and what says that it can, has the focus; and nothing that is not in the page. */
  focus() {
    const canHave = FOCUSABLE.includes(this.localName) || this.hasAttribute("tabindex");
    if (canHave && this.isConnected && !this.hasAttribute("disabled")) document.activeElement = this;
  }
  matches() { return document.activeElement === this; }
  contains(node) { return node === this || this.children.some((one) => one.contains?.(node)); }
  closest(selector) { return this.localName === selector ? this : this.parent?.closest(selector) ?? null; }

  /** Of a list of selectors, by the names of their elements. */
  querySelectorAll(selector) {
    const names = selector.split(", ").map((one) => one.replace(/\[.*/, ""));
    return this.children.flatMap((one) => [...names.includes(one.localName) ? [one] : [], ...one.querySelectorAll(selector)]);
  }

  isEqualNode(other) {
    const said = (node) => JSON.stringify([node.localName, node.attributes, node.dataset, node.children.map(said)]);
    return said(this) === said(other);
  }

  remove() {
    if (this.contains(document.activeElement)) document.activeElement = document.body;
    if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this);
    this.parent = null;
  }

  insertBefore(node, other) {
    node.remove();
    node.parent = this;
    this.children.splice(other ? this.children.indexOf(other) : this.children.length, 0, node);
    node.connectedCallback?.();
  }

  /** Texts are nothing here. */
  append(...nodes) {
    for (const node of nodes) if (typeof node !== "string") this.insertBefore(node, null);
  }

  replaceChildren(...nodes) {
    for (const child of [...this.children]) child.remove();
    this.append(...nodes);
  }
}

class HTMLInputElement extends Element {
  value = "";
  defaultValue = "";
  get checked() { return this.hasAttribute("checked"); }
  get type() { return this.getAttribute("type") ?? "text"; }
}

class HTMLTextAreaElement extends Element {}

/** Puts the small page in the place of the browser's. */
export function makePage() {
  const page = new EventTarget();
  Object.assign(globalThis, {
    Element, HTMLInputElement, HTMLTextAreaElement, Node: Element,
    addEventListener: (...listener) => page.addEventListener(...listener),
    document: {
      body: new Element("body"), activeElement: null,
      querySelectorAll: (selector) => document.body.querySelectorAll(selector),
      createElement: (name) => (name === "input" ? new HTMLInputElement(name) : new Element(name)),
    },
  });
  /** An event as it comes by the whole page and those around its target; a node that was removed hears nothing. */
  return (target, type, values = {}) => {
    const path = [];
    for (let at = target.isConnected ? target : null; at; at = at.parent) path.unshift(at);
    for (const one of [page, ...path]) one.dispatchEvent(Object.defineProperties(new Event(type), Object.getOwnPropertyDescriptors({ target, ...values })));
  };
}

/** What a page does after its events. */
export const turn = () => new Promise((resolve) => { setTimeout(resolve); });

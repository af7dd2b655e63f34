import { makePage } from "./small-dom.js";

const elements = new Map();
let append;

/** A node and all that are in it. */
export const all = (node) => [node, ...node.children.flatMap(all)];

/** What a node says, with all that are in it. */
export const say = (node) => all(node).map((one) => one.textContent ?? one.words ?? "").filter(Boolean).join(" ");

/**
 * Puts the small page in the place of the browser's, with elements of our own and a server whose answers come when a test
 * gives them. To be called before a module with an element is imported.
 */
export function makePanelPage() {
  const fire = makePage();
  const asked = [];
  const { createElement } = document;
  append ??= Element.prototype.append;
  // The small page drops texts.
  Element.prototype.append = function appendWithWords(...nodes) {
    this.words = nodes.filter((one) => typeof one === "string").join("");
    append.apply(this, nodes);
  };
  Element.prototype.showModal = () => {};
  Element.prototype.replaceWith = function replaceWith(other) {
    this.parent.insertBefore(other, this);
    this.remove();
  };
  Element.prototype.querySelector = function querySelector(selector) {
    const [, attribute, value] = /^\[(\w+)=(\w+)\]$/.exec(selector) ?? (selector.startsWith(".") ? ["", "class", selector.slice(1)] : []);
    const fits = (one) => (attribute ? one.getAttribute(attribute)?.split(" ").includes(value) : one.localName === selector);
    return all(this).slice(1).find(fits) ?? null;
  };
  Object.assign(globalThis, {
    HTMLElement: Element,
    CSSStyleSheet: class { replaceSync() {} },
    customElements: { define: (name, element) => elements.set(name, element) },
    fetch: (path, { method }) => new Promise((resolve) => {
      asked.push({ method, path, answer: (status, body) => resolve(new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } })) });
    }),
  });
  Object.assign(document, {
    adoptedStyleSheets: [], documentElement: { lang: "en" },
    createElement: (name) => (elements.has(name) ? Object.assign(new (elements.get(name))(), { localName: name }) : createElement(name)),
  });
  return { fire, asked };
}

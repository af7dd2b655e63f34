import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";

/** A link of the navigation to a page of the console, marked where that page is open. */
export function sideLink(name, drawing, path, text, route) {
  return h("a", {
    class: `side-link is-${name}`, href: path, "aria-current": route.name === name ? "page" : null,
  }, icon(drawing, 18), h("span", null, text));
}

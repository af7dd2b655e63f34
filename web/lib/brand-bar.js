import { h, replace } from "./dom.js";
import { onLanguageChange, t } from "./i18n.js";
import "./profile-menu.js";

/** The pages that every page leads to, with their addresses. */
const PLACES = Object.freeze({ console: "/console", sandbox: "/sandbox" });

/** The product's mark and name. */
export function brand() {
  return h("a", { class: "brand-name", href: "/" },
    h("img", { src: "/web/lib/icon.svg", alt: "", width: 24, height: 24 }), t("shared.appName"));
}

/** Leads from console to sandbox and back. @param {string} here the place of this page, or none */
export function placeSwitch(here) {
  return h("nav", { class: "place-switch", "aria-label": t("shared.places") },
    Object.entries(PLACES).map(([place, href]) => h("a", {
      href, "aria-current": place === here ? "page" : null,
    }, t(`shared.place.${place}`))));
}

/**
 * The bar above a page: brand, the way to the other place, the page's own parts, the profile menu.
 *
 * Values down: `here`, `parts` (nodes between the switch and the menu), `agent` as for the profile menu.
 */
class BrandBar extends HTMLElement {
  here = "";
  parts = [];
  agent = null;
  #forget = null;

  connectedCallback() {
    // Only the words of the switch depend on the language here; an open menu stays.
    let places = placeSwitch(this.here);
    this.#forget = onLanguageChange(() => {
      const fresh = placeSwitch(this.here);
      places.replaceWith(fresh);
      places = fresh;
    });
    replace(this, h("header", { class: "brand-bar" }, brand(), places,
      h("div", { class: "brand-parts" }, this.parts), h("profile-menu", { ".agent": this.agent })));
  }

  disconnectedCallback() {
    this.#forget?.();
  }
}

customElements.define("brand-bar", BrandBar);

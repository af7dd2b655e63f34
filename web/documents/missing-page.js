import { h, replace } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import "../lib/brand-bar.js";

await registerStrings({ en: () => import("../i18n/en/docs.js"), ja: () => import("../i18n/ja/docs.js") });

/** The page of an address that has none. */
class MissingPage extends HTMLElement {
  #main = h("main", { class: "missing" });

  connectedCallback() {
    onLanguageChange(() => this.#draw());
    this.#draw();
  }

  #draw() {
    document.title = t("docs.missing.title");
    if (!this.firstChild) this.append(h("brand-bar"), this.#main);
    replace(this.#main, h("h1", null, t("docs.missing.title")),
      h("p", null, t("docs.missing.lead", { path: location.pathname })),
      h("p", { class: "missing-ways" },
        h("a", { class: "fd-button is-primary", href: "/console" }, t("shared.place.console")),
        h("a", { class: "fd-button", href: "/sandbox" }, t("shared.place.sandbox"))));
  }
}

customElements.define("missing-page", MissingPage);

import { registerStrings } from "../lib/i18n.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

await registerStrings({ en: () => import("../i18n/en/phone.js"), ja: () => import("../i18n/ja/phone.js") });

/**
 * The page that the example of a sign-in names as the business's own: it shows what came, code and state
 * or the error, and where a real page would go on. It sends no request.
 */
export class SignedInPage extends HTMLElement {
  connectedCallback() {
    const [, , business = ""] = location.pathname.split("/");
    const values = new URLSearchParams(location.search);
    const [code, state, error] = ["code", "state", "error"].map((name) => values.get(name) ?? "");
    document.title = t("phone.signedIn.title");
    replace(this, h("main", { class: "si-page" },
      h("p", { class: "si-banner" }, icon("alert", 18), h("span", null,
        h("strong", null, t("phone.signIn.banner")), " ", t("phone.signedIn.bannerHint"))),
      h("div", { class: "si-who" },
        h("span", { class: "si-mark" }, icon(code ? "check" : "alert", 26)),
        h("h1", null, t(code ? "phone.signedIn.heading"
          : error ? "phone.signedIn.refused" : "phone.signedIn.nothing"))),
      h("p", null, t(code ? "phone.signedIn.next" : "phone.signedIn.nextError")),
      h("section", { class: "si-facts", "aria-label": t("phone.signedIn.came") },
        h("dl", null, fact("code", code), fact("error", error), fact("state", state))),
      h("div", { class: "si-buttons" }, h("a", {
        class: "fd-button is-primary is-wide", href: `/b/${encodeURIComponent(business)}`,
      }, t("phone.signIn.home")))));
  }
}

function fact(name, value) {
  return value && h("div", null, h("dt", null, name), h("dd", null, value));
}

customElements.define("signed-in-page", SignedInPage);

import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { registerStrings, t } from "../lib/i18n.js";

await registerStrings({ en: () => import("../i18n/en/phone.js"), ja: () => import("../i18n/ja/phone.js") });

/**
 * The page that the test merchant names for devices that cannot pay: what a shop's own page would offer there. It
 * sends no request.
 */
export class CannotPayPage extends HTMLElement {
  connectedCallback() {
    const [, , business = ""] = location.pathname.split("/");
    document.title = t("phone.cannotPay.title");
    replace(this, h("main", { class: "si-page" },
      h("p", { class: "si-banner" }, icon("alert", 18), h("span", null,
        h("strong", null, t("phone.pay.banner")), " ", t("phone.signedIn.bannerHint"))),
      h("div", { class: "si-who" },
        h("span", { class: "si-mark" }, icon("card", 26)),
        h("h1", null, t("phone.cannotPay.title"))),
      h("p", null, t("phone.cannotPay.what")),
      h("p", null, t("phone.cannotPay.money")),
      h("div", { class: "si-buttons" }, h("a", {
        class: "fd-button is-primary is-wide", href: `/b/${encodeURIComponent(business)}`,
      }, t("phone.signIn.home")))));
  }
}

customElements.define("cannot-pay-page", CannotPayPage);

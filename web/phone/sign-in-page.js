import { registerStrings } from "../lib/i18n.js";
import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { makeUUID } from "../lib/uuid.js";

await registerStrings({ en: () => import("../i18n/en/phone.js"), ja: () => import("../i18n/ja/phone.js") });

/** Longest name of a person, as the server accepts it. */
const MAX_NAME = 60;

/**
 * The page of the sandbox's OAuth provider: it shows the client and the scope, and grants or
 * refuses. The server checks the request and makes code and token; the page knows none of them but the
 * address it goes to.
 */
export class SignInPage extends HTMLElement {
  /**
   * What it asks, and how it is left, where it stands in a sheet of the conversation instead of at its own address.
   * @type {{ask: () => Promise<any>, answer: (id: string, signIn: object) => Promise<{redirect?: string}>, close: () => void}|null}
   */
  within = null;
  // One id for the page: whatever is tapped twice is one answer.
  #id = makeUUID();
  #asked = null;
  #isLeaving = false;

  connectedCallback() {
    const [, , business = "", , message = ""] = location.pathname.split("/");
    this.business = business;
    this.message = message;
    if (!this.within) document.title = t("phone.signIn.title");
    this.#load();
  }

  async #load() {
    this.#show(h("p", { class: "si-wait" }, h("span", { class: "spinner", "aria-hidden": "true" }),
      t("shared.loading")));
    try {
      this.#asked = await (this.within?.ask() ?? api.get(`/api/phone/${this.business}/sign-ins/${this.message}`));
    } catch (problem) {
      const reason = problem.mayRetry ? "offline" : "missing";
      return this.#show(this.#stop(t(`phone.signIn.${reason}`), problem.mayRetry));
    }
    if (this.#asked.over) return this.#show(this.#stop(t("phone.signIn.done"), false));
    this.#draw();
  }

  #draw() {
    const { business, scope, problems } = this.#asked;
    const name = h("input", {
      class: "fd-input", id: "si-name", type: "text", maxlength: MAX_NAME, autocomplete: "off",
      value: t("phone.signIn.sample"),
    });
    const isBroken = problems.length > 0;
    this.#show(
      h("div", { class: "si-who" }, h("span", { class: "si-mark" }, icon("key", 26)),
        h("h1", null, t("phone.signIn.heading", { name: business.name }))),
      isBroken && h("div", { class: "si-fault", role: "alert" }, icon("alert", 18), h("div", null,
        h("strong", null, t("phone.signIn.broken")),
        h("ul", null, problems.map((code) => h("li", null, t(`phone.signIn.problem.${code}`)))))),
      !isBroken && h("section", { class: "si-card", "aria-label": t("phone.signIn.scope") },
        h("h2", null, t("phone.signIn.scope", { name: business.name })),
        h("ul", { class: "si-scope" }, scope.map((word) =>
          h("li", null, icon("check", 16), h("span", { dir: "auto" }, word))))),
      !isBroken && h("div", { class: "fd-field" },
        h("label", { for: "si-name" }, t("phone.signIn.name")), name,
        h("p", { class: "fd-help" }, t("phone.signIn.nameHint"))),
      h("p", { class: "si-problem", role: "alert", hidden: true }),
      h("div", { class: "si-buttons" },
        !isBroken && this.#button("granted", "is-primary", () => name.value.trim()),
        !isBroken && this.#button("refused", ""),
        this.#button("failed", isBroken ? "is-primary" : "is-quiet"),
        this.#button("canceled", "is-quiet")),
      this.#facts());
  }

  #button(outcome, kind, name = () => "") {
    return h("button", {
      class: `fd-button is-wide ${kind}`, type: "button", "data-outcome": outcome,
      onClick: () => this.#leave(outcome, name()),
    }, t(`phone.signIn.${outcome}`));
  }

  /** The request's values, for the developer of the business's side. */
  #facts() {
    const { version, clientId, responseType, state, redirectUri, problems } = this.#asked;
    const fact = (label, value) =>
      value && h("div", null, h("dt", null, label), h("dd", null, value));
    return h("details", { class: "si-facts", open: problems.length > 0 },
      h("summary", null, t("phone.signIn.request")),
      h("dl", null,
        fact(t("phone.signIn.version"), version === 1 ? "1 (AUTH)" : "2 (AUTH2)"),
        fact("client_id", clientId), fact("response_type", responseType), fact("state", state),
        fact("redirect_uri", redirectUri),
        fact(t("phone.signIn.goes"),
          t(version === 1 ? "phone.signIn.goesEncrypted" : "phone.signIn.goesCode"))));
  }

  async #leave(outcome, name) {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const buttons = [...this.querySelectorAll(".si-buttons button")];
    // A button that is disabled would lose the focus of who works by keyboard.
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    try {
      const signIn = { outcome, ...(name ? { name } : {}) };
      const { redirect } = await (this.within?.answer(this.#id, signIn) ?? api.post(`/api/phone/${this.business}/choices`, {
        id: this.#id, inReplyTo: this.message, signIn,
      }));
      if (this.within) return redirect ? this.#goOn(redirect) : this.within.close();
      // The link back leads to the conversation, as from a device's own page.
      location.replace(redirect ?? this.#home);
    } catch (problem) {
      this.#isLeaving = false;
      for (const button of buttons) button.removeAttribute("aria-disabled");
      // Another choice is another answer.
      if (!problem.mayRetry) this.#id = makeUUID();
      const line = this.querySelector(".si-problem");
      line.hidden = false;
      replace(line, t(problem.mayRetry ? "shared.problem.offline" : "phone.signIn.done"));
    }
  }

  /** The business's own page cannot be shown in a frame: the customer opens it, and the conversation stays where it is. */
  #goOn(address) {
    const { close } = this.within;
    this.#show(h("div", { class: "si-stop" }, h("span", { class: "si-mark" }, icon("key", 26)),
      h("h1", null, t("phone.signIn.goOn")), h("p", { class: "fd-help" }, t("phone.signIn.goOnHint", { host: new URL(address).host })),
      h("a", { class: "fd-button is-primary is-wide", href: address, target: "_blank", rel: "noopener", onClick: () => setTimeout(close) }, t("phone.signIn.open"))));
    this.querySelector("a").focus();
  }

  get #home() {
    return `/b/${this.business}`;
  }

  #stop(text, mayRetry) {
    return h("div", { class: "si-stop" }, h("span", { class: "si-mark" }, icon("key", 26)),
      h("h1", null, text),
      mayRetry && h("button", {
        class: "fd-button is-primary is-wide", type: "button", onClick: () => this.#load(),
      }, t("shared.retry")),
      this.within
        ? h("button", { class: "fd-button is-wide", type: "button", onClick: () => this.within.close() }, t("phone.signIn.home"))
        : h("a", { class: "fd-button is-wide", href: this.#home }, t("phone.signIn.home")));
  }

  #show(...content) {
    // A sheet stands in a page that has its main part already.
    replace(this, h(this.within ? "div" : "main", { class: "si-page" },
      h("p", { class: "si-banner" }, icon("alert", 18), h("span", null,
        h("strong", null, t("phone.signIn.banner")), " ", t("phone.signIn.bannerHint"))),
      content));
  }
}

customElements.define("sign-in-page", SignInPage);

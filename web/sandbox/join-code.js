import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { exchange } from "../lib/api.js";
import { icon } from "../composer/icons.js";
import { copyText } from "../lib/clipboard.js";
import { clockSkew, countdown, renewalOf } from "./code-clock.js";

/** After a failed renewal, the next attempt comes this much later. */
const retryMilliseconds = 5000;

/**
 * The QR code and the short code a customer joins with; a new one replaces it before it ends.
 *
 * Values down: `hint` (why a phone may not reach it), `owned` (codes this page has shown).
 */
export class JoinCode extends HTMLElement {
  #code = null;
  #expires = 0;
  #renewal = 0;
  #skew = 0;
  #tick = 0;
  #isRenewing = false;
  #left = h("span", { class: "jc-left" });
  #meter = h("span", { class: "jc-meter", "aria-hidden": "true" });
  #life = 1;
  #hint = null;
  owned = new Set();

  connectedCallback() {
    if (!this.#code) this.#renew();
    else this.#draw();
    this.#tick = setInterval(() => this.#pass(), 1000);
    document.addEventListener("visibilitychange", this.#pass);
  }

  disconnectedCallback() {
    clearInterval(this.#tick);
    document.removeEventListener("visibilitychange", this.#pass);
  }

  set hint(hint) {
    this.#hint = hint;
    if (this.#code) this.#draw();
  }

  /** The newest code's id. */
  get codeID() {
    return this.#code?.id ?? null;
  }

  /** Draws again, as after a change of language. */
  refresh() {
    this.#draw();
  }

  #pass = () => {
    const now = Date.now() + this.#skew;
    if (now >= this.#renewal) this.#renew();
    if (!this.#code) return;
    this.#left.replaceChildren(t("sandbox.code.left", { time: countdown(this.#expires, now) }));
    this.#meter.style.setProperty("--left", String(Math.max(0, (this.#expires - now) / this.#life)));
  };

  async #renew() {
    if (this.#isRenewing || document.visibilityState === "hidden") return;
    this.#isRenewing = true;
    try {
      const { data, headers } = await exchange("POST", "/api/sandbox/codes", { body: {} });
      this.#skew = clockSkew(headers.get("Date"), Date.now());
      const now = Date.now() + this.#skew;
      this.#code = data;
      this.#expires = Date.parse(data.expires);
      this.#life = Math.max(1, this.#expires - now);
      this.#renewal = renewalOf(now, this.#expires);
      this.owned.add(data.id);
      this.#draw();
    } catch (problem) {
      this.#renewal = Date.now() + this.#skew + (problem.retryAfterSeconds ? problem.retryAfterSeconds * 1000 : retryMilliseconds);
      if (!this.#code) this.#drawFailure(problem);
    } finally {
      this.#isRenewing = false;
    }
  }

  #drawFailure(problem) {
    this.replaceChildren(h("p", { class: "jc-failed", role: "status" }, icon("error"), t("sandbox.code.failed", { detail: problem.message })));
  }

  #draw() {
    const { url, typed, qrSvg } = this.#code;
    const copy = h("button", { type: "button", class: "jc-typed", title: t("sandbox.code.copy"), onclick: async () => {
      const worked = await copyText(url);
      said.replaceChildren(t(worked ? "composer.json.copied" : "composer.json.copyFailed"));
      setTimeout(() => said.replaceChildren(), 1600);
    } }, h("span", { class: "fd-hidden-text" }, `${t("sandbox.code.copy")}: `), h("span", { class: "jc-letters" }, typed), icon("copy"));
    const said = h("span", { class: "jc-said", role: "status" });
    const open = h("a", { class: "fd-button jc-open", href: url, target: "frontdesk-phone", rel: "noopener" },
      icon("phone"), t("sandbox.code.openPhone"));
    open.addEventListener("click", (event) => {
      // A window of a phone's size where the browser allows one; the plain link otherwise.
      const phone = window.open("about:blank", "frontdesk-phone", "width=390,height=844");
      if (!phone) return;
      event.preventDefault();
      phone.location.href = url;
    });
    this.replaceChildren(
      h("div", { class: "jc-tile" }, h("img", { src: qrSvg, alt: t("sandbox.code.alt", { url }), width: "240", height: "240" })),
      h("div", { class: "jc-words" },
        h("p", { class: "jc-or" }, t("sandbox.code.typed", { place: `${new URL(url).host}/j` })),
        copy, said,
        h("p", { class: "jc-life" }, this.#meter, this.#left),
        open,
        this.#hint ? h("p", { class: "jc-hint" }, icon("warning"), h("span", null, this.#hint)) : null));
    this.#pass();
  }
}
customElements.define("join-code", JoinCode);

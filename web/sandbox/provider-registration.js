import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { providerForm } from "../console/gateway-forms.js";
import { copyField } from "../console/panel-parts.js";

await registerStrings({ en: () => import("../i18n/en/gateway.js"), ja: () => import("../i18n/ja/gateway.js") });

/**
 * The provider of the sandbox's business: registered here by its endpoint, with what its software
 * needs to call us. The secret is shown once.
 *
 * Values down: `business`, its id. Events up: `registered`.
 */
export class ProviderRegistration extends HTMLElement {
  business = null;
  #isOpen = false;

  connectedCallback() {
    this.#load();
  }

  get #path() {
    return `/api/businesses/${encodeURIComponent(this.business)}/gateway`;
  }

  async #load(secret = "") {
    let link;
    try {
      link = (await api.get(this.#path)).registration;
    } catch {
      return;  // Safe: the next opening repeats it; the wire log below shows the error.
    }
    this.#draw(link, secret);
  }

  #draw(link, secret) {
    const save = async (body) => {
      const made = await api.put(`${this.#path}/registration`, body);
      this.#isOpen = true;
      this.#draw(made.registration, made.secret ?? "");
      // What is done with it next; else the fold, for the form that had the focus is drawn anew.
      (this.querySelector(".callout button") ?? this.querySelector("summary")).focus();
      this.dispatchEvent(new CustomEvent("registered"));
    };
    const box = h("details", {
      open: this.#isOpen || !link, onToggle: () => {
        this.#isOpen = box.open;
      },
    },
    h("summary", null, t("gateway.provider"), " · ", link ? link.endpoint : t("gateway.none")),
    h("div", { class: "stack is-wide" },
      h("p", { class: "fd-help" }, t("gateway.providerLead")),
      secret ? h("div", { class: "callout", role: "status" },
        h("p", null, t("gateway.secretOnce")), copyField(t("gateway.secret"), secret)) : null,
      link ? [copyField(t("gateway.mspId"), link.mspId), copyField(t("gateway.baseUrl"), link.baseUrl)] : null,
      link ? h("details", { class: "more" }, h("summary", null, t("gateway.change")), providerForm(link, save))
        : providerForm(null, save)));
    replace(this, box);
  }
}

customElements.define("provider-registration", ProviderRegistration);

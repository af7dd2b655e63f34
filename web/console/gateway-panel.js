import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import "../thread/wire-exchanges.js";
import { behaviourForm, providerForm, upstreamForm } from "./gateway-forms.js";
import "./gateway-deliveries.js";
import { confirmAction, copyField, field, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";

await registerStrings({ en: () => import("../i18n/en/gateway.js"), ja: () => import("../i18n/ja/gateway.js") });

/** A business's links: the provider that it is the gateway of, and the gateway it is a provider of. */
class GatewayPanel extends HTMLElement {
  session = null;
  #business = null;

  connectedCallback() {
    this.#business = this.session.businesses.find((one) => may(one, "gateway.manage"))
      ?? this.session.businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/gateway`;
  }

  get #mayManage() {
    return may(this.#business, "gateway.manage");
  }

  async #load(secret = "") {
    const business = this.#business;
    let links = null;
    let problem = null;
    try {
      links = await api.get(this.#path);
    } catch (refusal) {
      problem = refusal;
    }
    if (business !== this.#business) return;
    replace(this, h("section", { class: "panel" },
      h("h1", null, t("gateway.title")),
      h("p", { class: "fd-help" }, t("gateway.lead")),
      field("gateway-business", t("console.business"), this.#choose()),
      problem ? h("p", { class: "fd-error", role: "alert" }, sentence(problem)) : null,
      this.#mayManage ? null : h("p", { class: "fd-help" }, t("gateway.onlyOwners")),
      links ? [
        h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-provider" },
          h("h2", { id: "gateway-provider" }, t("gateway.provider")),
          h("p", { class: "fd-help" }, t("gateway.providerLead")),
          this.#provider(links.registration, secret)),
        h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-upstream" },
          h("h2", { id: "gateway-upstream" }, t("gateway.upstream")),
          h("p", { class: "fd-help" }, t("gateway.upstreamLead")),
          this.#upstream(links.upstream)),
        links.registration || links.upstream ? h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-wire" },
          h("h2", { id: "gateway-wire" }, t("gateway.wireLog")),
          h("wire-exchanges", { ".source": { business: business.id } })) : null,
      ] : null));
  }

  #choose() {
    const choose = h("select", { class: "fd-input" }, this.session.businesses.map((one) => h("option", {
      value: one.id,
    }, one.mode === "test" ? `${one.name} (${t("console.test")})` : one.name)));
    choose.value = this.#business.id;
    choose.addEventListener("change", () => {
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      // Text typed into the other business's form would be lost, or saved for this one.
      for (const part of this.querySelectorAll(".link-part")) part.remove();
      this.#load();
    });
    return choose;
  }

  #provider(link, secret) {
    const save = async (body) => {
      const made = await api.put(`${this.#path}/registration`, body);
      await this.#load(made.secret);
    };
    if (!link) return this.#mayManage ? providerForm(null, save) : h("p", null, t("gateway.none"));
    return [
      secret ? h("div", { class: "callout", role: "status" },
        h("p", null, t("gateway.secretOnce")), copyField(t("gateway.secret"), secret)) : null,
      copyField(t("gateway.mspId"), link.mspId),
      copyField(t("gateway.baseUrl"), link.baseUrl),
      copyField(t("gateway.endpoint"), link.endpoint),
      this.#deliveries("provider"),
      this.#mayManage ? [
        this.#folded(t("gateway.change"), providerForm(link, save)),
        this.#folded(t("gateway.behaviour"), behaviourForm("provider", link.settings, (settings) => save({
          endpoint: link.endpoint, settings,
        }))),
        h("div", { class: "form-actions" },
          h("button", { type: "button", class: "fd-button", onClick: () => this.#renew() }, t("gateway.renew")),
          this.#removeButton("registration", t("gateway.removeProvider"))),
      ] : null,
    ];
  }

  #upstream(link) {
    const save = async (body) => {
      await api.put(`${this.#path}/upstream`, body);
      await this.#load();
    };
    if (!link) return this.#mayManage ? upstreamForm(null, save) : h("p", null, t("gateway.none"));
    return [
      copyField(t("gateway.callback"), link.callbackUrl),
      copyField(t("gateway.upstreamUrl"), link.baseUrl),
      copyField(t("gateway.mspId"), link.mspId),
      this.#deliveries("upstream"),
      this.#mayManage ? [
        this.#folded(t("gateway.change"), upstreamForm(link, save)),
        h("div", { class: "form-actions" }, this.#removeButton("upstream", t("gateway.removeUpstream"))),
      ] : null,
    ];
  }

  #deliveries(side) {
    return h("gateway-deliveries", { ".path": this.#path, ".side": side, ".mayManage": this.#mayManage });
  }

  #folded(title, content) {
    return h("details", { class: "more" }, h("summary", null, title), content);
  }

  #removeButton(name, question) {
    return h("button", {
      type: "button", class: "fd-button is-danger",
      onClick: async () => {
        if (!(await confirmAction(question, t("gateway.remove")))) return;
        await this.#try(() => api.delete(`${this.#path}/${name}`));
      },
    }, t("gateway.remove"));
  }

  async #renew() {
    if (!(await confirmAction(t("gateway.renewQuestion"), t("gateway.renew")))) return;
    await this.#try(async () => (await api.post(`${this.#path}/registration/secret`)).secret);
  }

  async #try(work) {
    try {
      await this.#load(await work() ?? "");
    } catch (problem) {
      this.querySelector(".panel")?.prepend(h("p", { class: "fd-error", role: "alert" }, sentence(problem)));
    }
  }
}

customElements.define("gateway-panel", GatewayPanel);

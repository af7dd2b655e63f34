import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { formatMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import "../thread/wire-exchanges.js";
import { behaviourForm, providerForm, upstreamForm } from "./gateway-forms.js";
import "./gateway-deliveries.js";
import { showLateSecret } from "./late-secret.js";
import { whatsAppForm } from "./whatsapp-form.js";
import { confirmAction, copyField, field, lead, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";

await registerStrings({ en: () => import("../i18n/en/gateway.js"), ja: () => import("../i18n/ja/gateway.js") });

/** A business's links: the provider that it is the gateway of, and the gateway it is a provider of. */
class GatewayPanel extends HTMLElement {
  session = null;
  #business = null;
  /** Counts the readings of the links. */
  #round = 0;

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

  /**
   * Reads the links and shows them. What is shown once is shown in any case, also when another business is on screen by then.
   * @param {any} [business] that is read only if it is still on screen
   * @param {{secret?: string, verifyToken?: string}} [made] a provider's secret, and the verify token of a number at WhatsApp
   */
  async #load(business = this.#business, made = {}) {
    if (!this.#isShown(business)) return this.#showLate(business, made);
    const round = (this.#round += 1);
    let links = null;
    let problem = null;
    try {
      links = await api.get(this.#path);
    } catch (refusal) {
      problem = refusal;
    }
    const isHere = round === this.#round && this.isConnected;
    if (!isHere || !links) this.#showLate(business, made);
    if (!isHere) return;
    replace(this, h("section", { class: "panel" },
      h("h1", null, t("gateway.title")),
      lead(t("gateway.lead"), "gateway", t("gateway.docs")),
      field("gateway-business", t("console.business"), this.#choose()),
      problem ? h("p", { class: "fd-error", role: "alert" }, sentence(problem)) : null,
      this.#mayManage ? null : h("p", { class: "fd-help" }, t("gateway.onlyOwners")),
      links ? [
        h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-provider" },
          h("h2", { id: "gateway-provider" }, t("gateway.provider")),
          h("p", { class: "fd-help" }, t("gateway.providerLead")),
          this.#provider(links.registration, made.secret)),
        h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-upstream" },
          h("h2", { id: "gateway-upstream" }, t("gateway.upstream")),
          h("p", { class: "fd-help" }, t("gateway.upstreamLead")),
          this.#upstream(links.upstream)),
        h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-whatsapp" },
          h("h2", { id: "gateway-whatsapp" }, t("gateway.whatsapp")),
          lead(t("gateway.whatsappLead"), "whatsapp", t("gateway.whatsappDocs")),
          this.#whatsApp(links.whatsapp, made.verifyToken)),
        links.registration || links.upstream || links.whatsapp ? h("section", { class: "settings-card link-part", "aria-labelledby": "gateway-wire" },
          h("h2", { id: "gateway-wire" }, t("gateway.wireLog")),
          h("wire-exchanges", { ".source": { business: business.id } })) : null,
      ] : null));
  }

  #isShown(business) {
    return business === this.#business && this.isConnected;
  }

  #showLate(business, { secret, verifyToken }) {
    if (secret) showLateSecret(business, t("gateway.secretOnce"), t("gateway.secret"), secret);
    if (verifyToken) showLateSecret(business, t("gateway.verifyTokenOnce"), t("gateway.verifyToken"), verifyToken);
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
    const [business, path] = [this.#business, this.#path];
    const save = async (body) => this.#load(business, await api.put(`${path}/registration`, body));
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
    const [business, path] = [this.#business, this.#path];
    const save = async (body) => {
      await api.put(`${path}/upstream`, body);
      await this.#load(business);
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

  #whatsApp(link, verifyToken) {
    const [business, path] = [this.#business, this.#path];
    const save = async (body) => this.#load(business, await api.put(`${path}/whatsapp`, body));
    if (!link) return this.#mayManage ? whatsAppForm(null, save) : h("p", null, t("gateway.none"));
    return [
      link.hasSecrets ? null : h("p", { class: "fd-error", role: "alert" }, t("gateway.whatsappNoSecrets")),
      (link.unknownNumbers ?? []).map((one) => h("p", { class: "fd-error", role: "alert" }, t("gateway.whatsappUnknownNumber", {
        number: one.phoneNumberId, posts: one.posts, first: formatMoment(new Date(one.firstAt)), last: formatMoment(new Date(one.lastAt)),
      }))),
      copyField(t("gateway.whatsappCallback"), link.callbackUrl),
      verifyToken ? h("div", { class: "callout", role: "status" },
        h("p", null, t("gateway.verifyTokenOnce")), copyField(t("gateway.verifyToken"), verifyToken)) : null,
      copyField(t("gateway.phoneNumberId"), link.phoneNumberId),
      copyField(t("gateway.graphUrl"), link.graphUrl),
      this.#deliveries("whatsapp"),
      this.#mayManage ? [
        this.#folded(t("gateway.change"), whatsAppForm(link, save)),
        h("div", { class: "form-actions" },
          h("button", { type: "button", class: "fd-button", onClick: () => this.#renewVerifyToken(save) }, t("gateway.renewVerifyToken")),
          this.#removeButton("whatsapp", t("gateway.removeWhatsapp"))),
      ] : null,
    ];
  }

  async #renewVerifyToken(save) {
    if (!(await confirmAction(t("gateway.renewVerifyTokenQuestion"), t("gateway.renewVerifyToken")))) return;
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    await this.#try(() => save({ verifyToken: [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("") }), false);
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
    await this.#try(() => api.post(`${this.#path}/registration/secret`));
  }

  /** @param {() => Promise<any>} work @param {boolean} [reads] whether the links are read again, with what is shown once in its answer */
  async #try(work, reads = true) {
    const business = this.#business;
    try {
      const made = await work();
      if (reads) await this.#load(business, made ?? {});
    } catch (problem) {
      if (!this.#isShown(business)) return showToast(`${business.name}: ${sentence(problem)}`);
      this.querySelector(".panel")?.prepend(h("p", { class: "fd-error", role: "alert" }, sentence(problem)));
    }
  }
}

customElements.define("gateway-panel", GatewayPanel);

import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { drawKeepingFocus } from "../lib/focus-return.js";
import { registerStrings, t } from "../lib/i18n.js";
import { placeNodes, replaceKeepingFocus, settle } from "../lib/reconcile.js";
import { formatMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import "../thread/wire-exchanges.js";
import { behaviourForm, providerForm, upstreamForm } from "./gateway-forms.js";
import "./gateway-deliveries.js";
import { keepBusiness, keptBusiness } from "./kept-business.js";
import { mayLeave } from "./unsaved-forms.js";
import { showLateSecret } from "./late-secret.js";
import { showUnread } from "./load-alert.js";
import { whatsAppForm } from "./whatsapp-form.js";
import { confirmAction, copyField, field, lead, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";

await registerStrings({ en: () => import("../i18n/en/gateway.js"), ja: () => import("../i18n/ja/gateway.js") });

/** What says that nothing works until the secret is entered again; null where it can be read. @param {any} link */
const secretAlert = (link) => (link.isSecretReadable === false ? h("p", { class: "fd-error", role: "alert" }, t("gateway.secretUnreadable")) : null);

/** A business's links: the provider that it is the gateway of, and the gateway it is a provider of. */
class GatewayPanel extends HTMLElement {
  session = null;
  #business = null;
  /** Counts the readings of the links. */
  #round = 0;
  #panel = h("section", { class: "panel" });
  #problem = h("p", { class: "fd-error", role: "alert" });
  /** What stands above the parts. */
  #head = [];
  /** The parts by name, each with what it shows: it is drawn again when that is other, and what is typed in the others stays. */
  #parts = new Map();

  connectedCallback() {
    this.#business = keptBusiness(this.session.businesses) ?? this.session.businesses.find((one) => may(one, "gateway.manage"))
      ?? this.session.businesses[0];
    const onlyOwners = h("p", { class: "fd-help" }, t("gateway.onlyOwners"));
    this.#head = [h("h1", null, t("gateway.title")), lead(t("gateway.lead"), "gateway", t("gateway.docs")),
      field("gateway-business", t("console.business"), this.#choose()), this.#problem, onlyOwners];
    replace(this, this.#panel);
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
   * @param {string} [changed] the part whose change was saved: it is drawn again, were it only for a secret that it does not show
   */
  async #load(business = this.#business, made = {}, changed = "") {
    if (!this.#isShown(business)) return this.#showLate(business, made);
    if (this.#parts.has(changed)) this.#parts.get(changed).shown = "";
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
    this.#problem.textContent = "";
    if (problem) showUnread(this.#problem, problem, () => this.#load());
    this.#head.at(-1).hidden = this.#mayManage;
    drawKeepingFocus(this.#panel, () => {
      if (links) this.#drawParts(links, made);
      placeNodes(this.#panel, [...this.#head, ...[...this.#parts.values()].map(({ node }) => node)]);
    });
  }

  #drawParts({ registration, upstream, whatsapp }, made) {
    this.#part("provider", registration, made.secret, () => [
      h("p", { class: "fd-help" }, t("gateway.providerLead")), this.#provider(registration, made.secret)]);
    this.#part("upstream", upstream, null, () => [h("p", { class: "fd-help" }, t("gateway.upstreamLead")), this.#upstream(upstream)]);
    this.#part("whatsapp", whatsapp, made.verifyToken, () => [
      lead(t("gateway.whatsappLead"), "whatsapp", t("gateway.whatsappDocs")), this.#whatsApp(whatsapp, made.verifyToken)]);
    if (registration || upstream || whatsapp) {
      this.#part("wire", null, null, () => h("wire-exchanges", { ".source": { business: this.#business.id } }), t("gateway.wireLog"));
    } else this.#parts.delete("wire");
  }

  /** Draws a part where its link is another, or has something that is shown once. Its deliveries follow by themselves. */
  #part(name, link, secret, make, title = t(`gateway.${name}`)) {
    const shown = JSON.stringify({ ...link, deliveries: null });
    const id = `gateway-${name}`;
    const known = this.#parts.get(name) ?? { node: h("section", { class: "settings-card link-part", "aria-labelledby": id }), shown: "" };
    this.#parts.set(name, known);
    if (known.shown === shown && !secret) return;
    known.shown = shown;
    const { node } = known;
    const { activeElement } = document;
    const folds = [...node.querySelectorAll("details[open]")];
    // What was saved is typed no longer, and the fold that it was saved in closes.
    const saved = node.querySelector("form:has([type=submit][aria-disabled=true])");
    const fold = saved && folds.find((one) => one.contains(saved));
    for (const one of saved?.elements ?? []) settle(one);
    const [isIn, isInSaved] = [node.contains(activeElement), Boolean(saved?.contains(activeElement))];
    replaceKeepingFocus(node, () => [h("h2", { id }, title), make()]);
    for (const one of node.querySelectorAll("details")) {
      const words = one.firstElementChild.textContent;
      one.open = folds.some((former) => former !== fold && !saved?.contains(former) && former.firstElementChild.textContent === words);
      if (isInSaved && fold?.firstElementChild.textContent === words) one.firstElementChild.focus();
    }
    // What is done with it next.
    if (secret && isIn) node.querySelector(".callout button")?.focus();
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
    choose.addEventListener("change", async () => {
      const wanted = choose.value;
      choose.value = this.#business.id;
      if (!await mayLeave(this)) return;
      choose.value = wanted;
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      keepBusiness(this.#business);
      // Text typed into the other business's form would be lost, or saved for this one.
      this.#parts.clear();
      placeNodes(this.#panel, this.#head);
      this.#load();
    });
    return choose;
  }

  #provider(link, secret) {
    const [business, path] = [this.#business, this.#path];
    const save = async (body) => this.#load(business, await api.put(`${path}/registration`, body), "provider");
    if (!link) return this.#mayManage ? providerForm(null, save) : h("p", null, t("gateway.none"));
    return [
      secret ? h("div", { class: "callout", role: "status" },
        h("p", null, t("gateway.secretOnce")), copyField(t("gateway.secret"), secret)) : null,
      secretAlert(link),
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
      await this.#load(business, {}, "upstream");
    };
    if (!link) return this.#mayManage ? upstreamForm(null, save) : h("p", null, t("gateway.none"));
    return [
      secretAlert(link),
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
    const save = async (body) => this.#load(business, await api.put(`${path}/whatsapp`, body), "whatsapp");
    if (!link) return this.#mayManage ? whatsAppForm(null, save) : h("p", null, t("gateway.none"));
    return [
      secretAlert(link) ?? (link.hasSecrets ? null : h("p", { class: "fd-error", role: "alert" }, t("gateway.whatsappNoSecrets"))),
      (link.unknownNumbers ?? []).map((one) => h("p", { class: "fd-error", role: "alert" }, t("gateway.whatsappUnknownNumber", {
        number: one.phoneNumberId, posts: one.posts, first: formatMoment(new Date(one.firstAt)), last: formatMoment(new Date(one.lastAt)),
      }))),
      copyField(t("gateway.whatsappCallback"), link.callbackUrl),
      link.callbackUrl.startsWith("https:") ? null : h("p", { class: "fd-help is-warning" }, t("gateway.whatsappNotHttps")),
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
      this.#problem.textContent = sentence(problem);
    }
  }
}

customElements.define("gateway-panel", GatewayPanel);

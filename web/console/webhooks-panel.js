import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openMenu } from "../lib/popup.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { keptBusiness } from "./kept-business.js";
import { showLateSecret } from "./late-secret.js";
import { loadAlert } from "./load-alert.js";
import { card, confirmAction, copyField, lead, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";
import { webhookStyles } from "./webhook-styles.js";
import { handshakeMark, nameOf, stateOf, waitingOf, withKept } from "./webhook-words.js";

await registerStrings({ en: () => import("../i18n/en/webhooks.js"), ja: () => import("../i18n/ja/webhooks.js") });
await import("./webhook-form.js");
await import("./webhook-log.js");

/** How long a secret that was replaced signs beside the new one, and how long a handshake may last; hours and seconds. */
const OVERLAP_HOURS = 24;
const TRIAL_SECONDS = 60;
/** How often the list is read again while it is in view, in milliseconds: no event says what waits. */
const REFRESH_MILLISECONDS = 10_000;

/** The endpoints of a business to which events are posted, and their deliveries; one that is disabled or enabled elsewhere is so here. Values down: `session`, `state`. */
class WebhooksPanel extends HTMLElement {
  session = null;
  state = null;
  #end = new AbortController();
  #business = null;
  #webhooks = [];
  /** Counts the readings of what changed elsewhere. */
  #following = 0;
  #labels = [];
  /** What came of the last action on an endpoint, by its id: the list may be drawn only after it. @type {Map<string, string>} */
  #results = new Map();
  /** When those were disabled that were enabled again on this page, by id. @type {Map<string, string>} */
  #missed = new Map();
  /** Counts the times that a business was chosen. */
  #round = 0;
  #loaded = Promise.resolve();
  #refresh = 0;
  #steady;

  connectedCallback() {
    useSettingsStyles();
    adopt(webhookStyles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "webhooks.manage") && !one.isSandbox) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    const { signal } = this.#end;
    this.state?.addEventListener("happened", ({ detail }) => {
      if (["webhook.disabled", "webhook.enabled"].includes(detail.type) && detail.business === this.#business.id) this.#follow();
    }, { signal });
    this.state?.addEventListener("back", () => this.#follow(), { signal });
    this.#loaded = this.#load();
    this.#refresh = setInterval(() => { if (document.visibilityState !== "hidden") this.#follow(); }, REFRESH_MILLISECONDS);
  }

  disconnectedCallback() {
    this.#end.abort();
    clearInterval(this.#refresh);
  }

  /** Shows the endpoints as they are now. */
  async #follow() {
    if (!may(this.#business, "webhooks.manage")) return;
    const isHere = this.#watch();
    await this.#loaded;
    if (!isHere()) return;
    // The page is made first; one that could not be is made now.
    if (!this.list?.isConnected) return void (this.#loaded = this.#load());
    const before = this.#webhooks;
    const following = (this.#following += 1);
    const page = await api.get(this.#path).catch(() => null);  // Safe: the page says that it is offline.
    // What was asked for later is newer, in whatever order the answers come.
    if (!page || !isHere() || following !== this.#following) return;
    // An answer from before an own change would undo it on the page.
    if (before !== this.#webhooks) return void this.#follow();
    if (JSON.stringify(page.data) === JSON.stringify(before)) return;
    this.#webhooks = page.data;
    this.#draw();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/webhooks`;
  }

  async #load() {
    const business = this.#business;
    const isHere = this.#watch();
    this.#results.clear();
    const mayManage = may(business, "webhooks.manage");
    let refusal = null;
    try {
      if (mayManage) {
        const [page, labels] = await Promise.all([api.get(this.#path), api.get(`/api/businesses/${business.id}/labels`)]);
        if (!isHere()) return;
        [this.#webhooks, this.#labels] = [page.data, labels.data.filter((one) => !one.retired)];
      }
    } catch (problem) {
      if (!isHere()) return;
      refusal = problem;
    }
    this.alert = loadAlert(refusal, () => this.#load());
    this.secret = h("div", { role: "status" });
    this.list = h("div", { class: "panel" });
    this.#steady = new SteadyList(this.list);
    this.log = h("div");
    replace(this, h("section", { class: "panel" }, h("h1", null, t("webhooks.title")),
      businessField("webhooks-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        this.#round += 1;
        this.#loaded = this.#load();
        return this.#loaded;
      }), lead(t(mayManage ? "webhooks.lead" : "webhooks.onlyOwners"), "webhooks", t("webhooks.docs")), this.alert,
      mayManage && !refusal ? [this.secret, this.list, this.log] : null));
    if (mayManage && !refusal) this.#draw();
  }

  /** What says whether the business on screen is still that of now. @returns {() => boolean} */
  #watch() {
    const round = this.#round;
    return () => round === this.#round && this.isConnected;
  }

  #draw() {
    // What is being edited stays as it is typed.
    if (!this.list.querySelector("webhook-form")) this.#steady.draw(() => this.#lists());
  }

  #lists() {
    return [card("", this.#webhooks.length ? h("ul", { class: "webhook-list" }, this.#webhooks.map((one) => this.#row(one))) : h("p", { class: "fd-help" }, t("webhooks.none")),
      h("div", { class: "form-actions is-start" }, h("button", { type: "button", class: "fd-button is-primary", onClick: () => this.#edit(null) }, t("webhooks.new"))))];
  }

  #row(webhook) {
    const name = nameOf(webhook);
    const { handshake } = webhook;
    const state = stateOf(webhook);
    const waiting = waitingOf(webhook);
    const mark = handshakeMark(handshake);
    const result = t(`webhooks.handshake.${handshake?.result ?? "none"}`);
    const menu = h("button", { type: "button", class: "fd-button is-plain is-icon", "aria-haspopup": "menu", "aria-label": t("webhooks.more", { name }), title: t("webhooks.more", { name }), onClick: () => this.#menu(menu, webhook) }, icon("menu", 16));
    return h("li", { class: "webhook-item", dataset: { webhook: webhook.id } },
      h("div", null, h("h3", null, name), webhook.description ? h("p", { class: "webhook-url" }, webhook.url) : null,
        h("p", { class: "fd-help" }, wants(webhook.types)),
        h("p", { class: "webhook-tags" },
          tag(t(`webhooks.state.${state}`), state === "enabled" ? "ok" : state === "failing" ? "warn" : "none"),
          mark === "danger" ? null : tag(result, mark, mark === "ok" ? "check" : mark === "warn" ? "alert" : ""),
          waiting ? tag(t(...waiting), state === "enabled" ? "none" : "warn", "clock") : null),
        webhook.isSecretReadable === false ? h("p", { class: "fd-error" }, t("webhooks.secretUnreadable")) : null,
        state === "failing" ? h("p", { class: "fd-help" }, t("webhooks.failingSince", { time: moment(webhook.failingSince) })) : null,
        webhook.formerSecretUntil ? h("p", { class: "fd-help" }, t("webhooks.formerSecret", { time: moment(webhook.formerSecretUntil) })) : null,
        mark === "danger" ? h("div", { class: "webhook-open" }, h("strong", null, result), h("span", null, t("webhooks.handshake.openLead"))) : null,
        handshake ? h("details", { class: "more" }, h("summary", null, t("webhooks.handshake.time", { time: moment(handshake.time) })),
          h("p", null, t("webhooks.handshake.signed", handshake.signed)), h("p", null, t("webhooks.handshake.forged", handshake.forged))) : null),
      h("div", { class: "webhook-buttons" },
        h("button", { type: "button", class: "fd-button", "aria-label": t("webhooks.logOf", { name }), onClick: () => this.#showLog(webhook) }, t("webhooks.log")), menu),
      h("p", { class: "webhook-result fd-help", role: "status" }, this.#results.get(webhook.id)));
  }

  #menu(anchor, webhook) {
    const name = nameOf(webhook);
    const isOn = webhook.state === "enabled";
    openMenu(anchor, [
      { icon: icon("note", 16), text: t("webhooks.changeShort"), run: () => this.#edit(webhook) },
      { icon: icon("send", 16), text: t("webhooks.test"), run: () => this.#test(webhook) },
      { icon: icon("check", 16), text: t("webhooks.try"), run: () => this.#shake(webhook) },
      { icon: icon("key", 16), text: t("webhooks.rotate"), run: () => this.#rotate(webhook) },
      { isLine: true },
      isOn ? { icon: icon("pause", 16), text: t("webhooks.disable"), run: () => this.#disable(webhook) }
        : { icon: icon("play", 16), text: t("webhooks.enable"), run: () => this.#enable(webhook) },
      { icon: icon("trash", 16), text: t("webhooks.remove"), run: () => this.#remove(webhook) },
    ], { label: t("webhooks.more", { name }) });
  }

  /** @param {any} webhook null for a new one */
  #edit(webhook) {
    const close = (id) => {
      this.#steady.drawNow(() => this.#lists());
      (id ? this.#button(id) : this.list.querySelector(".is-primary"))?.focus();
    };
    replace(this.secret);
    replace(this.log);
    this.#results.clear();
    const [business, path, isHere] = [this.#business, this.#path, this.#watch()];
    const form = h("webhook-form", {
      ".webhook": webhook, ".labels": this.#labels, ".save": async (body) => {
        const trial = { timeoutSeconds: TRIAL_SECONDS };
        const kept = webhook ? await api.patch(`${path}/${webhook.id}`, body, trial) : await api.post(path, body, trial);
        if (isHere()) {
          this.#keep(kept);
          close(kept.id);
        } else {
          keepOnScreen(kept, business);
        }
        if (webhook) showToast(t("webhooks.saved", { name: nameOf(kept) }));
        else this.#showSecret(kept, business, isHere());
      },
    });
    form.addEventListener("form-closed", () => close(webhook?.id));
    this.#steady.drawNow(() => [form]);
  }

  #button(id) {
    return this.list.querySelector(`[data-webhook="${id}"] [aria-haspopup]`);
  }

  /** @param {any} kept an endpoint as it is now, or its id and a part of it */
  #keep(kept) {
    this.#webhooks = withKept(this.#webhooks, kept);
  }

  /** Has an endpoint that was changed meanwhile in the list, where that is of its business. @param {any} kept @param {any} business */
  async keepLate(kept, business) {
    if (this.#business.id !== business.id) return;
    await this.#loaded;
    if (this.#business.id !== business.id) return;
    this.#keep(kept);
    this.#draw();
  }

  /** @param {any} kept @param {any} business whose endpoint it is @param {boolean} isHere whether that business is still on screen */
  #showSecret({ secret, publicKey }, business, isHere) {
    if (!isHere) {
      // A public key is no secret and can be had again.
      if (secret) showLateSecret(business, t("webhooks.secretOnce"), t("webhooks.secret"), secret);
      return;
    }
    replace(this.secret, h("div", { class: "callout" }, h("p", null, t(secret ? "webhooks.secretOnce" : "webhooks.publicKeyLead")),
      copyField(t(secret ? "webhooks.secret" : "webhooks.publicKey"), secret ?? publicKey)));
    this.secret.scrollIntoView({ block: "nearest" });
  }

  /**
   * Does something to an endpoint, shows it as it is then, and says in its row what came of it.
   * @param {any} webhook
   * @param {(isHere: () => boolean, keep: (kept: any) => void) => Promise<string|undefined>} action `isHere`: whether its business is
   *   still on screen; `keep` has the endpoint in the list, where it is
   */
  async #act(webhook, action) {
    this.alert.textContent = "";
    const say = (text) => {
      this.#results.set(webhook.id, text);
      const row = this.list.querySelector(`[data-webhook="${webhook.id}"] .webhook-result`);
      if (row) row.textContent = text;
    };
    say(t("shared.loading"));
    const [business, isHere] = [this.#business, this.#watch()];
    let words = "";
    try {
      words = await action(isHere, (kept) => isHere() ? this.#keep(kept) : keepOnScreen(kept, business)) ?? "";
      if (isHere()) this.#draw();
    } catch (problem) {
      words = sentence(problem);
    }
    if (!isHere()) return words ? showToast(`${nameOf(webhook)}: ${words}`) : undefined;
    say(words);
    // Who went on to something else stays there.
    if (document.activeElement === document.body) this.#button(webhook.id)?.focus();
  }

  #test(webhook) {
    return this.#act(webhook, async () => {
      const { isDelivered, last } = await api.post(`${this.#path}/${webhook.id}/test`, {}, { timeoutSeconds: TRIAL_SECONDS });
      return isDelivered ? t("webhooks.tested", { status: last.status, count: last.milliseconds }) : t("webhooks.testFailed", last);
    });
  }

  #shake(webhook) {
    return this.#act(webhook, async (_isHere, keep) => {
      const handshake = await api.post(`${this.#path}/${webhook.id}/handshake`, undefined, { timeoutSeconds: TRIAL_SECONDS });
      keep({ id: webhook.id, handshake });
      return t("webhooks.handshakeDone", { name: nameOf(webhook), result: t(`webhooks.handshake.${handshake.result}`) });
    });
  }

  /** Tries the handshake again where it was not verified: who has its deliveries attempted may have repaired the receiver. */
  async #shakeAgain({ id }) {
    if (this.#webhooks.find((one) => one.id === id)?.handshake?.result === "verified") return;
    const [business, isHere] = [this.#business, this.#watch()];
    const handshake = await api.post(`${this.#path}/${id}/handshake`, undefined, { timeoutSeconds: TRIAL_SECONDS }).catch(() => null);  // Safe: the row shows the one before.
    if (!handshake) return;
    if (!isHere()) return keepOnScreen({ id, handshake }, business);
    this.#keep({ id, handshake });
    this.#draw();
  }

  async #rotate(webhook) {
    if (!(await confirmAction(t("webhooks.rotateQuestion", { name: nameOf(webhook), hours: OVERLAP_HOURS }), t("webhooks.rotate")))) return;
    const business = this.#business;
    await this.#act(webhook, async (isHere, keep) => {
      const kept = await api.post(`${this.#path}/${webhook.id}/secret`, { overlapHours: OVERLAP_HOURS });
      keep(kept);
      this.#showSecret(kept, business, isHere());
    });
  }

  async #disable(webhook) {
    if (!(await confirmAction(t("webhooks.disableQuestion", { name: nameOf(webhook) }), t("webhooks.disable")))) return;
    await this.#act(webhook, async (_isHere, keep) => {
      keep(await api.patch(`${this.#path}/${webhook.id}`, { state: "disabled" }));
      return t("webhooks.disabled", { name: nameOf(webhook) });
    });
  }

  #enable(webhook) {
    return this.#act(webhook, async (_isHere, keep) => {
      keep(await api.post(`${this.#path}/${webhook.id}/enable`));
      this.#missed.set(webhook.id, webhook.disabledAt);
      const log = this.log.querySelector("webhook-log");
      if (log?.webhook.id === webhook.id) log.missedSince = webhook.disabledAt;
      this.#shakeAgain(webhook);
      return t("webhooks.enabled", { name: nameOf(webhook) });
    });
  }

  async #remove(webhook) {
    if (!(await confirmAction(t("webhooks.removeQuestion", { name: nameOf(webhook) }), t("webhooks.remove")))) return;
    let isGone = false;
    await this.#act(webhook, async (isHere) => {
      await api.delete(`${this.#path}/${webhook.id}`);
      if (isHere()) {
        isGone = true;
        this.#webhooks = this.#webhooks.filter((one) => one.id !== webhook.id);
        replace(this.log);
      }
      showToast(t("webhooks.removed", { name: nameOf(webhook) }));
    });
    const isFree = document.activeElement === document.body || this.list.contains(document.activeElement);
    if (isGone && isFree && !this.list.querySelector("webhook-form")) this.list.querySelector(".is-primary")?.focus();
  }

  #showLog(webhook) {
    const log = h("webhook-log", { ".path": `${this.#path}/${webhook.id}`, ".webhook": webhook, ".missedSince": this.#missed.get(webhook.id) ?? null });
    log.addEventListener("log-closed", () => {
      replace(this.log);
      this.list.querySelector(`[data-webhook="${webhook.id}"] .webhook-buttons button`)?.focus();
    });
    log.addEventListener("endpoint-read", ({ detail }) => {
      const shown = this.#webhooks.find(({ id }) => id === detail.id);
      if (shown && stateOf(shown) !== stateOf(detail)) this.#follow();
    });
    log.addEventListener("delivering", () => this.#shakeAgain(webhook));
    replace(this.log, log);
    log.querySelector("h2").focus();
    log.scrollIntoView({ block: "start" });
  }
}

/** What became of an endpoint of a business that was left meanwhile: it may be on screen again, in another panel too. */
function keepOnScreen(kept, business) {
  document.querySelector("webhooks-panel")?.keepLate(kept, business);
}

/** A word about an endpoint on a coloured ground, with a drawing where the colour says more than the word. */
function tag(text, mark, drawing = "") {
  return h("span", { class: `webhook-tag is-${mark}` }, drawing ? icon(drawing, 14) : null, text);
}

/** @param {string[]} types */
function wants(types) {
  if (!types.length) return t("webhooks.wantsAll");
  return types.length < 3 ? types.join(", ") : t("webhooks.wants", { first: types[0], count: types.length - 1 });
}

/** @param {string} time */
function moment(time) {
  return formatMoment(new Date(time));
}

customElements.define("webhooks-panel", WebhooksPanel);

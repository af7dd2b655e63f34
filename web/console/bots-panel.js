import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { makeUUID } from "../lib/uuid.js";
import { faultsOfRefusal, keyState, limits, nextEnd, successorOf } from "./bot-draft.js";
import { keptBusiness } from "./kept-business.js";
import { showLateSecret } from "./late-secret.js";
import { loadAlert } from "./load-alert.js";
import { card, copyField, lead, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";
import { nameOf, stateOf } from "./webhook-words.js";

await Promise.all([
  registerStrings({ en: () => import("../i18n/en/bots.js"), ja: () => import("../i18n/ja/bots.js") }),
  registerStrings({ en: () => import("../i18n/en/keys.js"), ja: () => import("../i18n/ja/keys.js") }),
  registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") }),
]);
const { keyWords } = await import("./bot-form.js");

/** The longest time that a timer of a browser has, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;
/** How often the page is read again while it is in view, in milliseconds: no event says that a program was heard. */
const REFRESH_MILLISECONDS = 10_000;
/** What changes what the page says of a bot. */
const FOLLOWED = Object.freeze(["bot.saved", "webhook.disabled", "webhook.enabled", "key.revoked", "key.replaced"]);

const styles = sheet(`
.bot-list { display: grid; margin: 0; padding: 0; list-style: none; }
.bot-item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px 12px; padding: 14px 0; border-top: 1px solid var(--fd-line); }
.bot-item:first-child { border-top: 0; padding-top: 0; }
.bot-item:last-child { padding-bottom: 0; }
.bot-item.is-retired { align-items: center; }
.bot-item h3 { margin: 0; overflow-wrap: anywhere; }
.bot-item p { margin: 2px 0 0; overflow-wrap: anywhere; }
.bot-item .bot-tags { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.bot-tag { display: inline-flex; align-items: center; gap: 6px; padding: 2px 10px; border-radius: var(--fd-radius-full); background: var(--fd-bg-sunken); color: var(--fd-ink-2);
  font-size: var(--fd-text-xs); line-height: 20px; font-weight: 500; overflow-wrap: anywhere; }
.bot-tag > svg { flex: none; }
.bot-tag.is-warn { background: var(--fd-warn-soft); color: var(--fd-warn); }
.bot-buttons { display: flex; flex-wrap: wrap; align-items: start; justify-content: end; gap: 6px; }
.bot-none { display: grid; gap: 4px; }
.bot-none p { margin: 0; }
.bot-seconds { max-width: 140px; }
.bot-first .fd-help { margin: 0 0 0 26px; }
/* What is said there later has no room before. */
.bot-secret:empty { position: absolute; }
@media (max-width: 640px) { .bot-item { grid-template-columns: minmax(0, 1fr); } .bot-buttons { justify-content: start; margin-top: 4px; } .bot-item .fd-button { min-height: 44px; } }
`);

/**
 * The bots of a business: programs that answer by themselves, which its owners register, change and retire; what is saved elsewhere is
 * read again. Values down: `session`, `state`.
 */
class BotsPanel extends HTMLElement {
  session = null;
  state = null;
  #end = new AbortController();
  #business = null;
  #known = { bots: [], keys: [], webhooks: [] };
  #steady;
  /** Counts where changes of this page begin and end. */
  #changes = 0;
  /** Counts the times that a business was chosen. */
  #round = 0;
  /** Until the next key ends, which no event says. */
  #timer = 0;
  #refresh = 0;
  #loaded = Promise.resolve();
  /** Counts what events have read again: the last one counts. */
  #following = 0;

  connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "keys.manage") && !one.isSandbox) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    const { signal } = this.#end;
    this.state?.addEventListener("happened", ({ detail }) => {
      if (FOLLOWED.includes(detail.type) && detail.business === this.#business.id) this.#follow();
    }, { signal });
    this.state?.addEventListener("back", () => this.#follow(), { signal });
    this.#loaded = this.#load();
    this.#refresh = setInterval(() => { if (document.visibilityState !== "hidden") this.#follow(); }, REFRESH_MILLISECONDS);
  }

  disconnectedCallback() {
    this.#end.abort();
    clearInterval(this.#refresh);
    clearTimeout(this.#timer);
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/bots`;
  }

  get #mayManage() {
    return may(this.#business, "keys.manage");
  }

  async #read() {
    const { id } = this.#business;
    const [bots, keys, webhooks] = await Promise.all([
      api.get(this.#path), api.get(`/api/businesses/${id}/keys`),
      may(this.#business, "webhooks.manage") ? api.get(`/api/businesses/${id}/webhooks`) : { data: [] },
    ]);
    return { bots: bots.data, keys: keys.data, webhooks: webhooks.data };
  }

  /** Shows the bots as they are now. */
  async #follow() {
    if (!this.#mayManage) return;
    const following = (this.#following += 1);
    const [business, changes] = [this.#business, this.#changes];
    // The page is made first; one that could not be is made now.
    await this.#loaded;
    if (business !== this.#business || !this.isConnected) return;
    // What stands beside the list, in whose place a form may be.
    if (!this.secret?.isConnected) return void (this.#loaded = this.#load());
    const known = await this.#read().catch(() => null);  // Safe: the page says that it is offline.
    if (!known || business !== this.#business || following !== this.#following || !this.isConnected) return;
    // An answer from before an own change would undo it on the page.
    if (changes !== this.#changes) return void this.#follow();
    this.#known = known;
    this.#draw();
  }

  /** What says whether the business on screen is still that of now. @returns {() => boolean} */
  #watch() {
    const round = this.#round;
    return () => round === this.#round && this.isConnected;
  }

  async #load() {
    const business = this.#business;
    const isHere = this.#watch();
    let refusal = null;
    try {
      if (this.#mayManage) {
        const known = await this.#read();
        if (!isHere()) return;
        this.#known = known;
      }
    } catch (problem) {
      if (!isHere()) return;
      refusal = problem;
    }
    this.alert = loadAlert(refusal, () => this.#load());
    this.secret = h("div", { class: "bot-secret", role: "status" });
    this.list = h("div", { class: "panel" });
    this.#steady = new SteadyList(this.list);
    replace(this, h("section", { class: "panel" }, h("h1", null, t("bots.title")),
      businessField("bots-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        this.#round += 1;
        this.#loaded = this.#load();
        return this.#loaded;
      }),
      lead(t("bots.lead"), "bots", t("bots.docs")),
      this.#mayManage ? null : h("p", { class: "fd-help" }, t("bots.onlyOwners")), this.alert,
      this.#mayManage && !refusal ? [this.secret, this.list] : null));
    if (this.#mayManage && !refusal) this.#draw();
  }

  #draw() {
    this.#steady.draw(() => this.#lists());
    clearTimeout(this.#timer);
    const end = nextEnd(this.#known.keys, Date.now());
    if (end !== null) this.#timer = setTimeout(() => this.#draw(), Math.min(LONGEST_WAIT, end - Date.now() + 1));
  }

  #lists() {
    const { bots } = this.#known;
    const used = bots.filter((one) => !one.retired);
    const retired = bots.filter((one) => one.retired);
    return [
      card("", used.length ? h("ul", { class: "bot-list" }, used.map((one) => this.#row(one)))
        : h("div", { class: "bot-none" }, h("p", null, t(retired.length ? "bots.noneUsed" : "bots.none")), h("p", { class: "fd-help" }, t("bots.noneLead"))),
      bots.length < limits.bots ? h("div", { class: "form-actions is-start" },
        h("button", { type: "button", class: "fd-button is-primary", onClick: () => this.#edit(null) }, t("bots.new")))
        : h("p", { class: "fd-help" }, t("bots.most", { count: limits.bots }))),
      retired.length ? card(t("bots.retired"), h("p", { class: "fd-help" }, t("bots.retiredLead")),
        h("ul", { class: "bot-list" }, retired.map((one) => this.#row(one)))) : null,
    ].filter(Boolean);
  }

  #row(bot) {
    const { name, retired } = bot;
    return h("li", { class: `bot-item ${retired ? "is-retired" : ""}`, dataset: { bot: bot.id } },
      h("div", null, h("h3", null, h("bdi", null, name)), retired ? null : this.#facts(bot)),
      h("div", { class: "bot-buttons" },
        h("button", { type: "button", class: "fd-button", "aria-label": t("bots.changeOf", { name }), onClick: () => this.#edit(bot) }, t("bots.change")),
        h("button", {
          type: "button", class: "fd-button is-plain", "aria-label": t(retired ? "items.restoreOf" : "items.retireOf", { name }),
          onClick: () => this.#retire(bot, !retired),
        }, t(retired ? "items.restore" : "items.retire"))));
  }

  /** What it answers with, how soon, which conversations it has first, and what keeps it from them. */
  #facts({ key: id, webhook, answerSeconds, first, intents, lastRequestAt }) {
    const key = this.#known.keys.find((one) => one.id === id);
    const state = keyState(key, Date.now());
    const successor = key && successorOf(id, this.#known.keys, Date.now());
    const endpoint = this.#known.webhooks.find((one) => one.id === webhook);
    const isDisabled = Boolean(endpoint) && stateOf(endpoint).startsWith("disabled");
    const isFailing = Boolean(endpoint) && stateOf(endpoint) === "failing";
    return [
      h("p", { class: "fd-help" }, [key ? t("bots.keyNamed", { name: keyWords(key) }) : null, t("bots.answersIn", { count: answerSeconds }),
        endpoint ? t("bots.hearsBy", { name: nameOf(endpoint) }) : null].filter(Boolean).join(" · ")),
      h("p", { class: "fd-help" }, lastRequestAt ? t("bots.heard", { ago: agoWords(lastRequestAt), time: formatMoment(new Date(lastRequestAt)) }) : t("bots.notHeard")),
      h("p", { class: "bot-tags" },
        first ? tag(t("bots.firstOfAll")) : null, intents.map((one) => tag(t("bots.firstFor", { intent: one }))),
        first || intents.length ? null : tag(t("bots.notFirst")),
        state === "valid" ? null : tag(t(`bots.key.${state}`), true),
        successor ? tag(t("bots.key.replaced"), true) : null,
        isDisabled ? tag(t("bots.webhookDisabled"), true) : null,
        isFailing ? tag(t("bots.webhookFailing"), true) : null),
      state !== "valid" || isDisabled ? h("p", { class: "fd-help" }, t("bots.unreachable")) : null,
      successor ? h("p", { class: "fd-help" }, t(state === "valid" ? "bots.replaced" : "bots.replacedEnded", { name: keyWords(successor) })) : null,
    ];
  }

  /** The form in the place of the list, which is drawn meanwhile all the same. @param {any} bot null for a new one */
  #edit(bot) {
    const close = (id) => {
      replace(this.list, this.#lists());
      form.replaceWith(this.list);
      this.list.querySelector(id ? `[data-bot="${id}"] button` : ".is-primary")?.focus();
    };
    replace(this.secret);
    this.alert.textContent = "";
    const [business, path, isHere, make] = [this.#business, this.#path, this.#watch(), this.#maker()];
    const form = h("bot-form", {
      ".business": business, ".bot": bot, ".known": () => this.#known,
      ".save": async (body) => {
        const kept = await this.#store(() => bot ? api.patch(`${path}/${bot.id}`, body) : make(body), isHere);
        if (isHere()) close(kept.id);
        showToast(t(bot ? "items.saved" : "bots.registered", kept));
        if (isHere() && this.secret.hasChildNodes()) this.secret.scrollIntoView({ block: "nearest" });
      },
    });
    form.addEventListener("key-made", ({ detail }) => {
      if (!isHere()) return showLateSecret(business, t("bots.keyOnce", detail.key), t("console.secret"), detail.secret);
      this.#known = { ...this.#known, keys: [...this.#known.keys, detail.key] };
      replace(this.secret, h("div", { class: "callout" }, h("p", null, t("bots.keyOnce", detail.key)), copyField(t("console.secret"), detail.secret)));
      this.secret.scrollIntoView({ block: "nearest" });
    });
    form.addEventListener("form-closed", () => close(bot?.id));
    this.list.replaceWith(form);
  }

  /** What registers a bot: the same once more is the same bot, should the first answer have been lost. */
  #maker() {
    const path = this.#path;
    let attempt = null;
    return async (body) => {
      const text = JSON.stringify(body);
      if (attempt?.text !== text) attempt = { text, name: makeUUID() };
      try {
        return await api.post(path, body, { headers: { "Idempotency-Key": `"${attempt.name}"` } });
      } catch (problem) {
        if (!problem.mayRetry) attempt = null;
        throw problem;
      }
    };
  }

  /**
   * Saves a bot, and has it in the list as it is then; after a refusal the bots are as they are now.
   * @param {() => Promise<any>} request
   * @param {() => boolean} isHere whether its business is still on screen
   */
  async #store(request, isHere) {
    this.#changes += 1;
    try {
      const saved = await request();
      if (!isHere()) return saved;
      const { bots } = this.#known;
      const place = bots.findIndex((one) => one.id === saved.id);
      this.#known = { ...this.#known, bots: place < 0 ? [...bots, saved] : bots.with(place, saved) };
      return saved;
    } catch (problem) {
      // Which of a name and a key is another bot's by now is to be seen in the list.
      if (problem.code === "name_taken" && isHere()) this.#known = await this.#read().catch(() => this.#known);  // Safe: it is said of the name.
      throw problem;
    } finally {
      this.#changes += 1;
    }
  }

  async #retire(bot, retired) {
    this.alert.textContent = "";
    const isHere = this.#watch();
    try {
      const saved = await this.#store(() => api.patch(`${this.#path}/${bot.id}`, { retired }), isHere);
      if (isHere()) this.#draw();
      showToast(t(retired ? "bots.retiredNow" : "bots.restoredNow", saved));
    } catch (problem) {
      if (!isHere()) return showToast(`${bot.name}: ${sentence(problem)}`);
      const [fault] = Object.values(faultsOfRefusal(problem, bot, this.#known.bots, bot.id));
      this.alert.textContent = fault ? `${bot.name}: ${t(`bots.fault.${fault}`)}` : sentence(problem);
      this.#draw();
    }
  }
}

/** How long ago something was; words that a list shows until it is read again. @param {string} time */
function agoWords(time) {
  const seconds = Math.max(1, Math.round((Date.now() - Date.parse(time)) / 1000));
  if (seconds < 60) return t("console.guard.seconds", { count: seconds });
  if (seconds < 5_400) return t("console.guard.minutes", { count: Math.round(seconds / 60) });
  return t("console.guard.hours", { count: Math.round(seconds / 3_600) });
}

/** A word about a bot on a ground of its own, with a drawing where it needs attention. */
function tag(text, isWarning = false) {
  return h("span", { class: `bot-tag ${isWarning ? "is-warn" : ""}` }, isWarning ? icon("alert", 14) : null, h("bdi", null, text));
}

customElements.define("bots-panel", BotsPanel);

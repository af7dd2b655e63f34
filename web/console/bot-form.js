import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatAt } from "../lib/time.js";
import { bodyOf, botScopes, faultsOf, faultsOfRefusal, fittingKeys, intentsOf, keyNameOf, keyState, limits } from "./bot-draft.js";
import { endOf, expiryField } from "./key-form.js";
import { card, field, savingForm } from "./panel-parts.js";
import { nameOf, stateOf } from "./webhook-words.js";

/** The choice of a key that is made with the bot. */
const NEW_KEY = "new";

/**
 * One bot, new or changed. Values down: `business`, `bot` (null for a new one), `known()` that gives its `bots`, `keys` and `webhooks`,
 * `save(body)` that stores it. Events up: `key-made` (`detail`: the answer, with the secret), `form-closed`.
 */
class BotForm extends HTMLElement {
  business = null;
  bot = null;
  known = () => ({ bots: [], keys: [], webhooks: [] });
  save = async (_body) => {};
  /** The fields, by the name of the member that each is, with what is said at it. @type {Record<string, {input: any, fault: HTMLElement}>} */
  #fields = {};
  /** What is typed and chosen, by the same names. @type {Record<string, any>} */
  #inputs = {};
  /** Whether an answer was lost: the bot may be stored, and the server knows the same request. */
  #isLost = false;
  /** A key that this form has made. @type {any} */
  #made = null;

  connectedCallback() {
    const { bot } = this;
    const name = h("input", { class: "fd-input", required: true, maxlength: limits.nameBytes, value: bot?.name ?? "", autocomplete: "off" });
    const key = h("select", { class: "fd-input", onChange: () => this.#showExpiry() });
    this.expiry = expiryField();
    this.expires = field("bot-key-expires", t("bots.keyExpires"), this.expiry);
    const seconds = h("input", { class: "fd-input bot-seconds", type: "number", required: true, min: limits.seconds[0], max: limits.seconds[1], value: String(bot?.answerSeconds ?? limits.usualSeconds) });
    const first = h("input", { type: "checkbox", id: "bot-first", checked: bot?.first ?? false, "aria-describedby": "bot-first-help" });
    const intents = h("textarea", { class: "fd-input", rows: 3, spellcheck: "false", autocapitalize: "off" });
    intents.value = bot?.intents.join("\n") ?? "";
    const webhook = h("select", { class: "fd-input" }, this.#webhooks());
    webhook.value = bot?.webhook ?? "";
    this.#inputs = { name, key, answerSeconds: seconds, first, intents, webhook };
    const form = savingForm({ class: "stack is-wide", save: t(bot ? "shared.save" : "bots.create"), judgesNumbers: true, onSave: () => this.#save() },
      this.#field("name", "bot-name", t("bots.name"), name, t("bots.nameHelp")),
      this.#field("key", "bot-key", t("bots.key"), key, t("bots.keyHelp")), this.expires,
      this.#field("answerSeconds", "bot-seconds", t("bots.seconds"), seconds, t("bots.secondsHelp")),
      h("div", { class: "bot-first" }, h("div", { class: "mark" }, first, h("label", { for: "bot-first" }, t("bots.first"))),
        h("p", { class: "fd-help", id: "bot-first-help" }, t("bots.firstHelp"))),
      this.#field("intents", "bot-intents", t("bots.intents"), intents, t("bots.intentsHelp")),
      this.#field("webhook", "bot-webhook", t("bots.webhook"), webhook, t("bots.webhookHelp")));
    form.addEventListener("submit", () => this.#say({}), { capture: true });
    this.#offerKeys(bot?.key ?? NEW_KEY);
    replace(this, card(bot ? t("bots.changeOf", bot) : t("bots.new"), form));
    form.querySelector(":scope > .form-actions").prepend(h("button", {
      type: "button", class: "fd-button", onClick: () => this.dispatchEvent(new CustomEvent("form-closed")),
    }, t("shared.cancel")));
    name.focus();
  }

  /** A field with a place for what is wrong with it. */
  #field(member, id, label, input, help) {
    const fault = h("p", { class: "fd-error", id: `${id}-fault` });
    const made = field(id, label, input, help);
    made.append(fault);
    this.#fields[member] = { input, fault };
    return made;
  }

  /** The keys that can be chosen: that of the bot whatever it is, those that fit, a new one. @param {string} chosen */
  #offerKeys(chosen) {
    const { bots, keys } = this.known();
    const all = this.#made && !keys.some((one) => one.id === this.#made.id) ? [...keys, this.#made] : keys;
    const fitting = fittingKeys(all, bots, this.bot?.id ?? null, Date.now());
    const own = this.bot && !fitting.some((one) => one.id === this.bot.key) ? all.find((one) => one.id === this.bot.key) ?? { id: this.bot.key, isGone: true } : null;
    const { key } = this.#inputs;
    replace(key, h("option", { value: NEW_KEY }, t("bots.newKey")),
      [own, ...fitting].filter(Boolean).map((one) => h("option", { value: one.id }, keyWords(one))));
    key.value = chosen;
    this.#showExpiry();
  }

  #showExpiry() {
    this.expires.hidden = this.#inputs.key.value !== NEW_KEY;
  }

  #webhooks() {
    const { webhooks } = this.known();
    const isLost = this.bot?.webhook && !webhooks.some((one) => one.id === this.bot.webhook);
    return [h("option", { value: "" }, t("bots.noWebhook")),
      isLost ? h("option", { value: this.bot.webhook }, t("bots.webhook.gone")) : null,
      ...webhooks.map((one) => h("option", { value: one.id },
        stateOf(one).startsWith("disabled") ? t("bots.webhookIs.disabled", { name: nameOf(one) }) : nameOf(one)))].filter(Boolean);
  }

  #draft() {
    const { name, key, answerSeconds, first, intents, webhook } = this.#inputs;
    return {
      name: name.value.trim(), key: key.value, answerSeconds: Number(answerSeconds.value), first: first.checked,
      intents: intentsOf(intents.value), webhook: webhook.value || null,
    };
  }

  async #save() {
    const draft = this.#draft();
    const own = this.bot?.id ?? null;
    // A key that is made for what is refused then would be one too many.
    this.#refuse(faultsOf(draft, this.#isLost ? [] : this.known().bots, own));
    if (draft.key === NEW_KEY) draft.key = await this.#makeKey(draft.name);
    try {
      await this.save(bodyOf(draft, this.bot));
    } catch (problem) {
      this.#isLost = Boolean(problem.mayRetry);
      this.#refuse(faultsOfRefusal(problem, draft, this.known().bots, own));
      throw problem;
    }
  }

  /** Makes the key, shows its secret at once, and chooses it: should the bot be refused, the key is there all the same. */
  async #makeKey(name) {
    const made = await api.post("/api/keys", { name: keyNameOf(name), businesses: [this.business.id], scopes: botScopes, ...endOf(this.expiry) });
    this.#made = made.key;
    this.#offerKeys(made.key.id);
    this.dispatchEvent(new CustomEvent("key-made", { detail: made }));
    return made.key.id;
  }

  /** Says at each field what is wrong with it. @param {Record<string, string>} faults */
  #say(faults) {
    for (const [member, { input, fault }] of Object.entries(this.#fields)) {
      fault.textContent = faults[member] ? t(`bots.fault.${faults[member]}`) : "";
      input.setAttribute("aria-describedby", `${input.id}-help${faults[member] ? ` ${fault.id}` : ""}`);
      if (faults[member]) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }

  /** Goes on where nothing is wrong. @param {Record<string, string>} faults */
  #refuse(faults) {
    this.#say(faults);
    const first = Object.keys(this.#fields).find((member) => member in faults);
    if (!first) return;
    this.#fields[first].input.focus();
    throw { detail: t("bots.fault.marked") };
  }
}

/** A key by its name, with how long it can be used. @param {any} key */
export function keyWords(key) {
  const state = key.isGone ? "gone" : keyState(key, Date.now());
  if (state === "gone") return t("bots.key.gone");
  if (state !== "valid") return t(`bots.keyIs.${state}`, key);
  return key.expiresAt ? t("bots.keyUntil", { name: key.name, time: formatAt(new Date(key.expiresAt), { dateStyle: "medium" }) }) : key.name;
}

customElements.define("bot-form", BotForm);

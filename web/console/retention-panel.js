import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { formatAt, formatFarMoment } from "../lib/time.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, confirmAction, field, lead, savingForm } from "./panel-parts.js";
import { may } from "./permissions.js";
import { DAYS, erasesMore, phaseOf, questionOf } from "./retention-words.js";
import { businessField } from "./settings-parts.js";
import "./hold-list.js";

await registerStrings({ en: () => import("../i18n/en/retention.js"), ja: () => import("../i18n/ja/retention.js") });

/** After how many days a business has content erased, with a count of it before, and what it keeps from that. Value down: `session`. */
class RetentionPanel extends HTMLElement {
  session = null;
  #business = null;

  connectedCallback() {
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "business.manage") && !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/retention`;
  }

  /** @param {string} [done] what was done, said beside the button */
  async #load(done = "") {
    const business = this.#business;
    let content;
    if (may(business, "business.manage")) {
      try {
        content = this.#content(await api.get(this.#path), done);
      } catch (problem) {
        content = loadAlert(problem, () => this.#load());
      }
      if (business !== this.#business) return;
    } else {
      content = h("p", { class: "fd-help" }, t("retention.onlyOwners"));
    }
    replace(this, h("section", { class: "panel" }, h("h1", null, t("retention.title")),
      businessField("retention-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        return this.#load();
      }),
      lead(t("retention.lead"), "operations#retention", t("retention.docs")), content,
      may(business, "holds.read") ? h("hold-list", { ".business": business }) : null));
    if (done) this.querySelector("[type='submit']")?.focus();
  }

  #content(retention, done) {
    const isOn = h("input", { type: "checkbox", id: "retention-on", checked: retention.days !== null });
    const days = h("input", {
      class: "fd-input", type: "number", min: DAYS.least, max: DAYS.most, step: 1, inputmode: "numeric", required: true,
      value: String(retention.days ?? DAYS.offered),
    });
    const daysField = field("retention-days", t("retention.days"), days, t("retention.daysHelp", { least: DAYS.least, most: DAYS.most }));
    const said = h("span", { role: "status", class: "fd-help" }, done);
    const form = savingForm({ save: t("shared.save"), onSave: () => this.#save(retention, isOn.checked ? Number(days.value) : null, said) },
      h("div", { class: "mark" }, isOn, h("label", { for: "retention-on" }, t("retention.on"))), daysField);
    const draw = () => {
      daysField.hidden = !isOn.checked;
      days.required = isOn.checked;
    };
    isOn.addEventListener("change", draw);
    draw();
    form.querySelector(".form-actions").append(said);
    return [card("", form), this.#progress(retention)];
  }

  /** Saves what was chosen, after a question where that erases more than is erased now. */
  async #save(retention, days, said) {
    said.textContent = "";
    if (days === null) {
      await api.delete(this.#path);
      return this.#load(t("retention.savedOff"));
    }
    if (erasesMore(retention, days)) {
      said.textContent = t("retention.counting");
      const preview = await api.get(`${this.#path}/preview?days=${days}`).finally(() => { said.textContent = ""; });
      if (!await confirmAction(this.#question(preview), t("retention.confirm"))) return undefined;
    }
    await api.put(this.#path, { days });
    return this.#load(t("retention.saved"));
  }

  #question(preview) {
    const words = {
      messages: t("retention.messages", { count: preview.messages }), notes: t("retention.notes", { count: preview.notes }),
      conversations: t("retention.conversations", { count: preview.conversations }),
      before: day(preview.before), begins: moment(preview.beginsAt),
    };
    const question = t(questionOf(preview), words);
    return preview.conversationsOnHold ? `${question} ${t("retention.onHold", { count: preview.conversationsOnHold })}` : question;
  }

  /** How far it has come; nothing while content is kept for ever. */
  #progress(retention) {
    const phase = phaseOf(retention);
    if (phase === "off") return null;
    const words = { begins: moment(retention.beginsAt), through: retention.erasedThrough ? moment(retention.erasedThrough) : "" };
    return card(t("retention.progress"), h("p", null, t(`retention.phase.${phase}`, words)),
      phase === "waits" ? h("p", { class: "fd-help" }, t("retention.withdraw")) : null);
  }
}

const moment = (text) => formatFarMoment(new Date(text));

const day = (text) => formatAt(new Date(text), { dateStyle: "long" });

customElements.define("retention-panel", RetentionPanel);

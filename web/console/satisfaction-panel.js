import "../cards/phone-frame.js";
import { api } from "../lib/api.js";
import { h, replace, sheet } from "../lib/dom.js";
import { language, languages, registerStrings, t } from "../lib/i18n.js";
import { segments } from "../lib/segments.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, field, savingForm } from "./panel-parts.js";
import { may } from "./permissions.js";
import { questionPayload, scores } from "./satisfaction-draft.js";
import { businessField } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/satisfaction.js"), ja: () => import("../i18n/ja/satisfaction.js") });

document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(`
.satisfaction-parts { display: grid; grid-template-columns: minmax(0, 1fr) minmax(220px, 300px); gap: 24px; }
.satisfaction-preview { display: grid; align-content: start; gap: 8px; margin: 0; }
.satisfaction-preview phone-frame { position: sticky; top: 16px; height: 560px; }
.satisfaction-parts fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
@media (max-width: 900px) { .satisfaction-parts { grid-template-columns: minmax(0, 1fr); } .satisfaction-preview phone-frame { position: static; } }
`)];

const kinds = Object.freeze(["quickReply", "form"]);

/** Whether and how customers are asked how satisfied they are, with the question as a phone shows it. Value down: `session`. */
class SatisfactionPanel extends HTMLElement {
  session = null;
  #business = null;

  connectedCallback() {
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "satisfaction.manage") && !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/satisfaction`;
  }

  async #load() {
    const business = this.#business;
    let content;
    try {
      const settings = await api.get(this.#path);
      if (business !== this.#business) return;
      content = this.#form(settings);
    } catch (problem) {
      if (business !== this.#business) return;
      content = loadAlert(problem, () => this.#load());
    }
    replace(this, h("section", { class: "panel" }, h("h1", null, t("satisfaction.title")),
      businessField("satisfaction-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        return this.#load();
      }),
      h("p", { class: "fd-help" }, t("satisfaction.lead")), content));
  }

  #form(settings) {
    const isAllowed = may(this.#business, "satisfaction.manage");
    const isOn = h("input", { type: "checkbox", id: "satisfaction-on", checked: settings.isOn });
    const kind = h("select", { class: "fd-input" }, kinds.map((one) => h("option", { value: one }, t(`satisfaction.kind.${one}`))));
    kind.value = settings.kind;
    const delay = h("input", { class: "fd-input", type: "number", min: 0, max: 1440, value: String(settings.delayMinutes) });
    const days = h("input", { class: "fd-input", type: "number", min: 1, max: 365, value: String(settings.notAgainDays) });
    const texts = new Map(Object.keys(languages).map((one) => [one, textsPart(one, settings.texts[one])]));
    const phone = h("phone-frame", { ".business": this.#business });
    let shown = language();
    const draw = () => {
      for (const [one, part] of texts) {
        part.element.hidden = one !== shown;
        part.comment.hidden = kind.value !== "form";
      }
      phone.look = { locale: shown, scheme: null };
      phone.draft = questionPayload(kind.value, texts.get(shown).read());
    };
    const done = h("span", { role: "status", class: "fd-help" });
    const form = savingForm({
      save: t("shared.save"), written: () => JSON.stringify([isOn.checked, kind.value, delay.value, days.value, ...[...texts.values()].map((part) => part.read())]),
      onSave: async () => {
        done.textContent = "";
        const saved = await api.put(this.#path, {
          isOn: isOn.checked, kind: kind.value, delayMinutes: Number(delay.value), notAgainDays: Number(days.value),
          texts: Object.fromEntries([...texts].map(([one, part]) => [one, part.read()])),
        });
        // What was emptied is the standard again.
        for (const [one, part] of texts) part.write(saved.texts[one]);
        draw();
        done.textContent = t("satisfaction.saved");
      },
    }, h("fieldset", { class: "stack", disabled: !isAllowed },
      h("div", { class: "mark" }, isOn, h("label", { for: "satisfaction-on" }, t("satisfaction.on"))),
      field("satisfaction-kind", t("satisfaction.kind"), kind, t("satisfaction.kindHelp")),
      field("satisfaction-delay", t("satisfaction.delay"), delay),
      field("satisfaction-days", t("satisfaction.days"), days, t("satisfaction.daysHelp"))),
    h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("satisfaction.texts")),
      segments(t("satisfaction.texts"), Object.entries(languages), shown, (chosen) => {
        shown = chosen;
        draw();
      }, true), h("p", { class: "fd-help" }, t("satisfaction.textsHelp"))),
    h("fieldset", { class: "stack", disabled: !isAllowed }, [...texts.values()].map(({ element }) => element)));
    form.addEventListener("input", draw);
    const actions = form.querySelector(".form-actions");
    if (isAllowed) actions.append(done);
    else actions.remove();
    draw();
    return card("", h("div", { class: "satisfaction-parts" }, h("div", null, form, isAllowed ? null : h("p", { class: "fd-help" }, t("satisfaction.onlyOwners"))),
      h("figure", { class: "satisfaction-preview" }, h("figcaption", { class: "fd-label" }, t("satisfaction.preview")), phone)));
  }
}

/** The fields of one language. @param {string} tag @param {{question: string, choices: string[], comment: string, thanks: string|null}} texts */
function textsPart(tag, texts) {
  const input = (value, most) => h("input", { class: "fd-input", value: value ?? "", maxlength: most, lang: tag, autocomplete: "off" });
  const question = input(texts.question, 512);
  const choices = scores.map((score) => input(texts.choices[score - 1], 120));
  const comment = input(texts.comment, 512);
  const thanks = input(texts.thanks, 1_000);
  const commentField = field(`satisfaction-comment-${tag}`, t("satisfaction.comment"), comment);
  const element = h("div", { class: "stack" },
    field(`satisfaction-question-${tag}`, t("satisfaction.question"), question),
    scores.map((score, place) => field(`satisfaction-choice-${score}-${tag}`, t("satisfaction.choice", { score }), choices[place])),
    commentField, field(`satisfaction-thanks-${tag}`, t("satisfaction.thanks"), thanks, t("satisfaction.thanksHelp")));
  return {
    element, comment: commentField,
    write: (next) => {
      question.value = next.question;
      scores.forEach((score, place) => { choices[place].value = next.choices[score - 1]; });
      comment.value = next.comment;
      thanks.value = next.thanks ?? "";
    },
    read: () => {
      const names = [...choices].reverse().map(({ value }) => value.trim());
      return {
        question: question.value.trim() || null, choices: names.some(Boolean) ? names : null,
        comment: comment.value.trim() || null, thanks: thanks.value.trim() || null,
      };
    },
  };
}

customElements.define("satisfaction-panel", SatisfactionPanel);

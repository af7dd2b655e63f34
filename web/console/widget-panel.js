import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { languages, registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { formatFarMoment } from "../lib/time.js";
import { keptBusiness } from "./kept-business.js";
import { showLateSecret } from "./late-secret.js";
import { loadAlert } from "./load-alert.js";
import { card, confirmAction, copyField, field, lead, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField, colourButton, useSettingsStyles } from "./settings-parts.js";
import { originsOf } from "./widget-draft.js";

await registerStrings({ en: () => import("../i18n/en/widget.js"), ja: () => import("../i18n/ja/widget.js") });

/** Most greetings of a business. */
const MOST_GREETINGS = 10;
/** What the button is called by itself, in the language of the customer's page. */
const STANDARD_LABELS = Object.freeze({ en: "Chat with us", ja: "チャットで相談" });

const styles = sheet(`
.widget-secrets { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none; }
.widget-secrets li { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.widget-secrets code { flex: 1 1 180px; min-width: 0; overflow-wrap: anywhere; font: var(--fd-text-xs) / 1.5 var(--fd-font-mono); }
.widget-greeting { display: grid; gap: 12px; margin: 0 0 12px; padding: 12px 14px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm); min-width: 0; }
.widget-greeting legend { padding: 0 6px; font-size: var(--fd-text-sm); font-weight: 500; }
.widget-when { display: grid; align-items: start; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 12px; }
.widget-look { display: flex; flex-wrap: wrap; align-items: end; gap: 16px; }
@media (max-width: 640px) { .widget-when { grid-template-columns: minmax(0, 1fr); } }
`);

/** The widget of a business: the line for its pages, where it may be, how it looks, whom it greets, its secrets. Value down: `session`. */
class WidgetPanel extends HTMLElement {
  session = null;
  #business = null;
  #number = 0;

  connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "business.manage") && !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/widget`;
  }

  async #load() {
    const business = this.#business;
    let content = h("p", { class: "fd-help" }, t("widget.onlyOwners"));
    if (may(business, "business.manage")) {
      try {
        const widget = await api.get(this.#path);
        if (business !== this.#business) return;
        content = [this.#snippet(widget), this.#form(widget), this.#secrets(widget)];
      } catch (problem) {
        if (business !== this.#business) return;
        content = loadAlert(problem, () => this.#load());
      }
    }
    replace(this, h("section", { class: "panel" }, h("h1", null, t("widget.title")),
      businessField("widget-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        return this.#load();
      }),
      lead(t("widget.lead"), "widget", t("widget.docs")), content));
  }

  #snippet({ snippet }) {
    return card(t("widget.snippet"), h("p", { class: "fd-help" }, t("widget.snippetLead")),
      copyField(t("widget.snippetLabel"), snippet));
  }

  #form(widget) {
    const { launcher } = widget;
    const isOn = h("input", { type: "checkbox", id: "widget-on", checked: widget.isOn });
    const origins = h("textarea", { class: "fd-input", rows: 3, spellcheck: false, autocapitalize: "off", placeholder: "https://shop.example" });
    origins.value = widget.origins.join("\n");
    const position = h("select", { class: "fd-input" }, ["right", "left"].map((one) => h("option", { value: one }, t(`widget.position.${one}`))));
    position.value = launcher.position;
    let colour = launcher.colour;
    const ownColour = h("input", { type: "checkbox", id: "widget-colour", checked: colour !== null });
    const button = colourButton(colour ?? this.#business.colour, t("widget.colour"), (next) => {
      colour = next;
      ownColour.checked = true;
    });
    const labels = Object.entries(languages).map(([tag, name]) => {
      const input = h("input", { class: "fd-input", maxlength: 60, lang: tag, value: launcher.labels[tag] ?? "", placeholder: STANDARD_LABELS[tag] });
      return { tag, input, element: field(`widget-label-${tag}`, t("widget.label", { language: name }), input) };
    });
    const greetings = h("div");
    const add = h("button", { type: "button", class: "fd-button", onClick: () => {
      greetings.append(this.#greeting({ path: "/*", seconds: 20, texts: {} }));
      count();
      greetings.lastElementChild.querySelector("input").focus();
    } }, icon("add", 16), t("widget.greeting.new"));
    const count = () => {
      add.hidden = greetings.childElementCount >= MOST_GREETINGS;
      [...greetings.children].forEach((one, place) => { one.querySelector("legend").textContent = t("widget.greeting.of", { number: place + 1 }); });
    };
    greetings.addEventListener("greeting-removed", () => {
      count();
      add.focus();
    });
    greetings.append(...widget.greetings.map((one) => this.#greeting(one)));
    count();
    const done = h("span", { role: "status", class: "fd-help" });
    const form = savingForm({
      save: t("shared.save"),
      onSave: async () => {
        done.textContent = "";
        const mute = [...greetings.children].find((one) => !Object.values(one.read().texts).some(Boolean));
        if (mute) {
          mute.querySelector("textarea").focus();
          throw { detail: t("widget.greeting.textMissing", { name: mute.querySelector("legend").textContent }) };
        }
        const typed = origins.value;
        const saved = await api.put(this.#path, {
          isOn: isOn.checked, origins: originsOf(origins.value),
          launcher: {
            position: position.value, colour: ownColour.checked ? colour ?? button.value : null,
            labels: Object.fromEntries(labels.map(({ tag, input }) => [tag, input.value.trim() || null])),
          },
          greetings: [...greetings.children].map((one) => one.read()),
        });
        // As browsers write them: without what was written twice, and without the port that goes without saying.
        if (origins.value === typed) origins.value = saved.origins.join("\n");
        done.textContent = t(saved.isOn || !saved.origins.length ? "widget.saved" : "widget.savedOff");
      },
    },
    h("div", { class: "mark" }, isOn, h("label", { for: "widget-on" }, t("widget.on"))),
    field("widget-origins", t("widget.origins"), origins, t("widget.originsHelp")),
    h("div", { class: "widget-look" }, field("widget-position", t("widget.position"), position),
      h("div", { class: "mark" }, ownColour, h("label", { for: "widget-colour" }, t("widget.ownColour")), button)),
    labels.map(({ element }) => element),
    h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("widget.greetings")),
      h("p", { class: "fd-help" }, t("widget.greetingsHelp"))), greetings, h("div", null, add));
    form.querySelector(".form-actions").append(done);
    return card(t("widget.settings"), form);
  }

  /** The fields of one greeting; `read()` says what is in them. */
  #greeting({ path, seconds, texts }) {
    const id = `widget-greeting-${this.#number += 1}`;
    const where = h("input", { class: "fd-input", value: path, maxlength: 200, required: true, spellcheck: false });
    const when = h("input", { class: "fd-input", type: "number", required: true, min: 0, max: 3600, value: String(seconds) });
    const words = Object.entries(languages).map(([tag, name]) => {
      const input = h("textarea", { class: "fd-input", rows: 2, maxlength: 300, lang: tag });
      input.value = texts[tag] ?? "";
      return { tag, input, element: field(`${id}-${tag}`, t("widget.greeting.text", { language: name }), input) };
    });
    const element = h("fieldset", { class: "widget-greeting" }, h("legend"),
      h("div", { class: "widget-when" }, field(`${id}-path`, t("widget.greeting.path"), where, t("widget.greeting.pathHelp")),
        field(`${id}-seconds`, t("widget.greeting.seconds"), when)),
      words.map((one) => one.element),
      h("div", null, h("button", { type: "button", class: "fd-button", onClick: () => {
        const list = element.parentElement;
        element.remove();
        list.dispatchEvent(new CustomEvent("greeting-removed"));
      } }, icon("trash", 16), t("widget.greeting.remove"))));
    element.read = () => ({
      path: where.value.trim(), seconds: Number(when.value),
      texts: Object.fromEntries(words.map(({ tag, input }) => [tag, input.value.trim() || null])),
    });
    return element;
  }

  #secrets(widget) {
    const [business, path] = [this.#business, this.#path];
    const shown = h("div", { role: "status" });
    const list = h("ul", { class: "widget-secrets" });
    const alert = h("p", { class: "fd-error", role: "alert" });
    const draw = ({ secrets, areSecretsReadable }) => replace(list, areSecretsReadable === false ? h("li", { class: "fd-error" }, t("widget.secret.unreadable")) : null, secrets.map((one) => h("li", null, h("code", null, one.id),
      h("span", { class: "fd-help" }, t("widget.secret.made", { time: formatFarMoment(new Date(one.madeAt)) })),
      h("button", { type: "button", class: "fd-button is-danger", "aria-label": t("widget.secret.removeOf", { id: one.id }), onClick: () => attempt(async () => {
        if (!(await confirmAction(t("widget.secret.removeQuestion"), t("widget.secret.remove")))) return;
        await api.delete(`${path}/secrets/${one.id}`);
        replace(shown);
      }) }, t("widget.secret.remove")))));
    const attempt = async (work) => {
      alert.textContent = "";
      try {
        await work();
        draw(await api.get(path));
        // The button of a secret that is gone had it.
        if ([document.body, null].includes(document.activeElement) || document.activeElement.localName === "main") button.focus();
      } catch (problem) {
        alert.textContent = sentence(problem);
      }
    };
    // A second press would make a second secret, and with that end the oldest, by which the pages sign.
    const make = () => whileBusy(button, () => attempt(async () => {
      if (list.childElementCount >= 2 && !(await confirmAction(t("widget.secret.thirdQuestion"), t("widget.secret.new")))) return;
      const made = await api.post(`${path}/secrets`);
      if (!shown.isConnected) return showLateSecret(business, t("widget.secret.once"), t("widget.secret"), made.secret);
      replace(shown, h("div", { class: "callout" }, h("p", null, t("widget.secret.once")), copyField(t("widget.secret"), made.secret)));
    }));
    const button = h("button", { type: "button", class: "fd-button", onClick: make }, t("widget.secret.new"));
    draw(widget);
    return card(t("widget.identity"), h("p", { class: "fd-help" }, t("widget.identityLead")), shown, list, alert,
      h("div", { class: "form-actions is-start" }, button));
  }
}

customElements.define("widget-panel", WidgetPanel);

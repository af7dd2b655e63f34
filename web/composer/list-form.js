import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { cardDefaults } from "./card-defaults.js";
import { blankCard, cardTexts } from "./card-texts.js";
import { checkField, fullLine, groupProblem, orderButtons, selectField, textField, wordButton } from "./fields.js";
import { FreshNames } from "./fresh-names.js";
import { KindForm } from "./kind-form.js";
import { listPayload } from "./kinds/list.js";
import { pictureField } from "./picture-field.js";
import { repeatButton, repeatLine, repeatedText, rowParts } from "./repeated-rows.js";

/** More sections, or more items in one, are not offered in the form. */
const formLimit = 50;

/** Sections of goods or proposals to choose from. */
export class ListForm extends KindForm {
  #names = new FreshNames("item");

  #freshItem(title = "", subtitle = "") {
    const entries = this.draft?.sections.flatMap(({ items }) => items);
    return { identifier: this.#names.next(entries), title, subtitle, style: "icon", picture: null };
  }

  #freshSection(title = "", items = [this.#freshItem(), this.#freshItem()]) {
    return { title, multiple: false, items };
  }

  blankDraft() {
    const words = cardDefaults(this.context?.locale, "list");
    return {
      received: blankCard(words.title), reply: blankCard(words.reply), sections: [this.#freshSection()],
    };
  }

  draw() {
    const { draft } = this;
    const changed = () => this.changed();
    return [
      textField({
        label: t("composer.list.title"), draft: draft.received, key: "title", changed, maxLength: 512,
        pointer: () => "/interactiveData/receivedMessage/title",
      }),
      groupProblem("/interactiveData/data/listPicker/sections", () => this.querySelector("[data-item] input[data-key]")),
      ...draft.sections.map((section, index) => this.#section(section, index, changed)),
      draft.sections.length < formLimit
        ? wordButton(t("composer.list.addSection"), () => {
          draft.sections.push(this.#freshSection());
          this.reshape(`[data-section="${draft.sections.length - 1}"] input`);
        }, { iconName: "plus" })
        : fullLine(formLimit),
      cardTexts(draft, changed, { hidesTitle: true }),
    ];
  }

  #section(section, index, changed) {
    const { sections } = this.draft;
    const name = section.title || t("composer.list.section", { number: index + 1 });
    const base = () => {
      const shown = this.draft.sections.filter((it) => it === section || hasContent(it));
      return `/interactiveData/data/listPicker/sections/${shown.indexOf(section)}`;
    };
    const order = orderButtons({
      index, count: sections.length, words: this.#words(name),
      move: (step) => {
        sections.splice(index + step, 0, ...sections.splice(index, 1));
        this.reshape(`[data-section="${index + step}"] > .cp-section-head [data-move="${step < 0 ? "up" : "down"}"]`);
      },
      remove: sections.length > 1
        ? () => {
          sections.splice(index, 1);
          this.reshape(`[data-section="${Math.max(0, index - 1)}"] input`);
        }
        : null,
    });
    const group = h("fieldset", { class: "cp-section", "data-section": String(index) },
      h("legend", { class: "fd-hidden-text" }, t("composer.list.section", { number: index + 1 })),
      h("div", { class: "cp-section-head" },
        textField({
          label: t("composer.list.sectionTitle"), hideLabel: true, draft: section, key: "title", changed,
          placeholder: t("composer.list.section", { number: index + 1 }), className: "cp-grow cp-strong",
          pointer: () => `${base()}/title`,
        }), order),
      checkField({ label: t("composer.list.multiple"), draft: section, key: "multiple", changed }),
      h("ol", { class: "cp-list" }, ...section.items.map((item, place) => this.#item(section, item, place, base, changed))),
      section.items.length < formLimit
        ? wordButton(t("composer.list.addItem"), () => {
          section.items.push(this.#freshItem());
          this.reshape(`[data-section="${index}"] [data-item="${section.items.length - 1}"] input[data-key]`);
        }, { iconName: "plus", className: "cp-quiet cp-add" })
        : fullLine(formLimit),
      repeatButton(this, "list", (list) => {
        const fresh = this.#freshItem();
        section.items = [...section.items.filter((one) => one.list || itemHasContent(one)), { ...fresh, ...repeatedText(fresh.identifier, list) }];
        this.reshape(`[data-section="${index}"] [data-item="${section.items.length - 1}"] input[data-key]`);
      }));
    return group;
  }

  #item(section, item, place, base, changed) {
    const index = this.draft.sections.indexOf(section);
    const name = item.title || t("composer.list.item", { number: place + 1 });
    const pointer = (key) => () => {
      const shown = section.items.filter((it) => it === item || itemHasContent(it));
      return `${base()}/items/${shown.indexOf(item)}/${key}`;
    };
    const line = (key, label) => textField({
      label, hideLabel: true, draft: item, key, changed, placeholder: label, maxLength: 512,
      pointer: pointer(key),
    });
    const parts = rowParts(item);
    return h("li", { ...parts, class: `cp-listrow cp-item${parts.class}`, "data-item": String(place) }, repeatLine(this, item),
      pictureField({
        place: this.context, label: t("composer.list.picture", { name }), draft: item, key: "picture", changed, compact: true,
        edge: 180, byteLimit: 60_000,
      }),
      h("div", { class: "cp-item-lines" },
        line("title", t("composer.list.item", { number: place + 1 })),
        line("subtitle", t("composer.list.subtitle"))),
      selectField({
        label: t("composer.list.style"), hideLabel: true, draft: item, key: "style", changed,
        choices: ["default", "icon", "small", "large"].map((style) => [style, t(`composer.style.${style}`)]),
        pointer: pointer("style"), className: "cp-narrow",
      }),
      orderButtons({
        index: place, count: section.items.length, words: this.#words(name),
        move: (step) => {
          section.items.splice(place + step, 0, ...section.items.splice(place, 1));
          this.reshape(`[data-section="${index}"] [data-item="${place + step}"] [data-move="${step < 0 ? "up" : "down"}"]`);
        },
        remove: section.items.length > 1 || item.list
          ? () => {
            section.items.splice(place, 1);
            if (!section.items.length) section.items.push(this.#freshItem());
            this.reshape(`[data-section="${index}"] [data-item="${Math.max(0, place - 1)}"] input[data-key]`);
          }
          : null,
      }));
  }

  #words(name) {
    return {
      up: t("composer.move.up", { name }), down: t("composer.move.down", { name }),
      remove: t("composer.move.remove", { name }),
    };
  }

  payload() {
    return listPayload(this.draft, this.context.envelope());
  }

  isBlank() {
    return !this.draft.sections.some(hasContent);
  }

  example() {
    this.#names.reset();
    const words = (name) => t(`composer.example.list.${name}`);
    return {
      received: { ...blankCard(words("title")), subtitle: words("subtitle") },
      reply: blankCard(cardDefaults(this.context?.locale, "list").reply),
      sections: [
        this.#freshSection(words("teas"), [
          this.#freshItem(words("sencha"), words("senchaNote")),
          this.#freshItem(words("hojicha"), words("hojichaNote")),
        ]),
        { ...this.#freshSection(words("sweets"), [
          this.#freshItem(words("mochi"), words("mochiNote")),
          this.#freshItem(words("yokan"), words("yokanNote")),
        ]), multiple: true },
      ],
    };
  }
}

const itemHasContent = (item) => Boolean(item.title.trim() || item.subtitle.trim() || item.picture);
const hasContent = (section) => Boolean(section.title.trim()) || section.items.some(itemHasContent);

customElements.define("list-form", ListForm);

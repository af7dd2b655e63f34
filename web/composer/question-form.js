import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { cardDefaults } from "./card-defaults.js";
import { blankCard, cardTexts } from "./card-texts.js";
import { checkField, fold, groupProblem, orderButtons, row, selectField, textField, wordButton } from "./fields.js";
import { FreshNames } from "./fresh-names.js";
import { KindForm } from "./kind-form.js";
import { blankPage, formPayload, itemHasContent, pageHasContent, pageTypes } from "./kinds/form.js";
import { pictureField } from "./picture-field.js";
import { dateFields, inputFields } from "./question-parts.js";

/** More pages, or more answers on one, are not offered in the form. */
const pageLimit = 50;
const itemLimit = 50;
const PAGES = "/interactiveData/data/dynamic/data/pages";

/** Questions, a page for each; an answer may lead to another page than the next. */
export class QuestionForm extends KindForm {
  #pageNames = new FreshNames("page");
  #itemNames = new FreshNames("answer");

  #freshItem(title = "", next = "") {
    const items = this.draft?.pages.flatMap((page) => page.items);
    return { identifier: this.#itemNames.next(items), title, value: "", next, picture: null };
  }

  #freshPage(parts = {}) {
    const taken = this.draft?.pages.flatMap(({ key, identifier }) => [{ identifier: key }, { identifier }]);
    return { ...blankPage(this.#pageNames.next(taken)), items: [this.#freshItem(), this.#freshItem()], ...parts };
  }

  blankDraft() {
    this.#pageNames.reset();
    this.#itemNames.reset();
    const words = cardDefaults(this.context?.locale, "form");
    return {
      received: blankCard(words.title), reply: blankCard(words.reply), isPrivate: false, showsSummary: true,
      splash: { header: "", text: "", button: "", picture: null }, pages: [this.#freshPage()],
    };
  }

  draw() {
    const { draft } = this;
    const changed = () => this.changed();
    const splash = (key, rows) => textField({
      label: t(`composer.form.splash.${key}`), draft: draft.splash, key, changed, rows, maxLength: rows ? undefined : 512,
      pointer: () => `/interactiveData/data/dynamic/data/splash/${{ header: "header", text: "splashtext", button: "buttonTitle" }[key]}`,
    });
    return [
      textField({
        label: t("composer.list.title"), draft: draft.received, key: "title", changed, maxLength: 512,
        pointer: () => "/interactiveData/receivedMessage/title",
      }),
      groupProblem("/interactiveData/data/dynamic/data/startPageIdentifier", () => this.querySelector("[data-page] input")),
      ...draft.pages.map((page, index) => this.#page(page, index, changed)),
      draft.pages.length < pageLimit
        ? wordButton(t("composer.form.addPage"), () => {
          draft.pages.push(this.#freshPage());
          this.reshape(`[data-page="${draft.pages.length - 1}"] input`);
        }, { iconName: "plus" })
        : null,
      checkField({ label: t("composer.form.summary"), draft, key: "showsSummary", changed }),
      fold(t("composer.form.splash"),
        row(splash("header"), splash("button")), splash("text", 2),
        pictureField({ place: this.context, label: t("composer.form.splash.picture"), draft: draft.splash, key: "picture", changed }),
        checkField({ label: t("composer.form.private"), draft, key: "isPrivate", changed })),
      cardTexts(draft, changed, { hidesTitle: true }),
    ];
  }

  #page(page, index, changed) {
    const { pages } = this.draft;
    const number = index + 1;
    const name = page.question || t("composer.form.page", { number });
    const base = () => `${PAGES}/${this.draft.pages.indexOf(page)}`;
    const reshape = () => this.reshape();
    const order = orderButtons({
      index, count: pages.length, words: words(name),
      move: (step) => {
        pages.splice(index + step, 0, ...pages.splice(index, 1));
        this.reshape(`[data-page="${index + step}"] > .cp-section-head [data-move="${step < 0 ? "up" : "down"}"]`);
      },
      remove: pages.length > 1 ? () => this.#removePage(index) : null,
    });
    return h("fieldset", { class: "cp-section", "data-page": String(index) },
      h("legend", { class: "fd-hidden-text" }, t("composer.form.page", { number })),
      h("div", { class: "cp-section-head" }, h("span", { class: "cp-page-number", "aria-hidden": "true" }, String(number)),
        textField({
          label: t("composer.form.question", { number }), hideLabel: true, draft: page, key: "question", changed: () => this.changed(),
          placeholder: t("composer.form.page", { number }), className: "cp-grow cp-strong", maxLength: 512, pointer: () => `${base()}/subtitle`,
        }), order),
      row(
        selectField({
          label: t("composer.form.type"), draft: page, key: "type", changed: reshape,
          choices: pageTypes.map((type) => [type, t(`composer.form.type.${type}`)]), pointer: () => `${base()}/type`,
        }),
        selectField({
          label: t("composer.form.next"), draft: page, key: "next", changed, choices: this.#ways(page, index),
          pointer: () => `${base()}/nextPageIdentifier`,
        })),
      page.type === "select" || page.type === "picker" ? this.#choices(page, index, base, changed) : null,
      page.type === "datePicker" ? dateFields(page, base, changed) : null,
      page.type === "input" ? inputFields(page, base, changed) : null,
      fold(t("composer.form.more"), ...this.#more(page, base, changed)));
  }

  /** Where a page may lead: on to the one below, to any other, or to the end. */
  #ways(page, index) {
    const { pages } = this.draft;
    const below = pages[index + 1];
    const end = [below ? "end" : "", t("composer.form.next.end")];
    return [...(below ? [["", t("composer.form.next.below")]] : []), ...this.#others(page).filter(([key]) => key !== below?.key), end];
  }

  #others(page) {
    return this.draft.pages.flatMap((one, place) => (one === page ? []
      : [[one.key, t("composer.form.next.page", { number: place + 1, question: one.question || t("card.untitled") })]]));
  }

  #removePage(index) {
    const { pages } = this.draft;
    const [{ key }] = pages.splice(index, 1);
    for (const page of pages) {
      if (page.next === key) page.next = "";
      for (const item of page.items) if (item.next === key) item.next = "";
    }
    this.reshape(`[data-page="${Math.max(0, index - 1)}"] input`);
  }

  #choices(page, index, base, changed) {
    const branches = page.type === "select" && !page.multiple && this.draft.pages.length > 1;
    return h("div", { class: "cp-choices" },
      groupProblem(`${PAGES}/${index}/items`, () => this.querySelector(`[data-page="${index}"] [data-item] input[data-key]`)),
      page.type === "select"
        ? checkField({ label: t("composer.list.multiple"), draft: page, key: "multiple", changed: () => this.reshape() }) : null,
      h("ol", { class: "cp-list" }, ...page.items.map((item, place) => this.#item(page, item, { index, place, base, branches, changed }))),
      page.items.length < itemLimit
        ? wordButton(t("composer.quick.add"), () => {
          page.items.push(this.#freshItem());
          this.reshape(`[data-page="${index}"] [data-item="${page.items.length - 1}"] input[data-key]`);
        }, { iconName: "plus", className: "cp-quiet cp-add" })
        : null);
  }

  #item(page, item, { index, place, base, branches, changed }) {
    const name = item.title || t("composer.quick.item", { number: place + 1 });
    return h("li", { class: "cp-listrow", "data-item": String(place) },
      page.type === "select" ? pictureField({
        place: this.context, label: t("composer.list.picture", { name }), draft: item, key: "picture", changed, compact: true, edge: 180, byteLimit: 60_000,
      }) : null,
      textField({
        label: t("composer.quick.item", { number: place + 1 }), hideLabel: true, draft: item, key: "title", changed, maxLength: 512,
        placeholder: t("composer.quick.item", { number: place + 1 }), className: "cp-grow", pointer: () => `${base()}/items/${placeOf(page, item)}/title`,
      }),
      branches ? selectField({
        label: t("composer.form.branch", { name }), hideLabel: true, draft: item, key: "next", changed, className: "cp-branch",
        choices: [["", t("composer.form.branch.none")], ...this.#others(page)], pointer: () => `${base()}/items/${placeOf(page, item)}/nextPageIdentifier`,
      }) : null,
      orderButtons({
        index: place, count: page.items.length, words: words(name),
        move: (step) => {
          page.items.splice(place + step, 0, ...page.items.splice(place, 1));
          this.reshape(`[data-page="${index}"] [data-item="${place + step}"] [data-move="${step < 0 ? "up" : "down"}"]`);
        },
        remove: page.items.length > 1 ? () => {
          page.items.splice(place, 1);
          this.reshape(`[data-page="${index}"] [data-item="${Math.max(0, place - 1)}"] input[data-key]`);
        } : null,
      }));
  }

  /** What is seldom set: heading, the names that the answer carries, the start of a wheel. */
  #more(page, base, changed) {
    const line = (key, options = {}) => textField({
      label: t(`composer.form.${key}`), draft: page, key, changed, maxLength: 512, ...options,
    });
    const items = page.type === "select" || page.type === "picker" ? page.items : [];
    return [
      row(line("title", { pointer: () => `${base()}/title` }),
        line("identifier", { maxLength: 19, pointer: () => `${base()}/pageIdentifier` })),
      page.type === "picker" ? row(line("pickerTitle", { pointer: () => `${base()}/pickerTitle` }), this.#firstShown(page, base, changed)) : null,
      ...items.map((item, place) => textField({
        label: t("composer.form.value", { name: item.title || t("composer.quick.item", { number: place + 1 }) }), draft: item, key: "value",
        changed, maxLength: 512, placeholder: item.title, pointer: () => `${base()}/items/${placeOf(page, item)}/value`,
      })),
    ].filter(Boolean);
  }

  /** The answer at which a wheel begins. */
  #firstShown(page, base, changed) {
    const choice = { at: String(page.selectedIndex) };
    return selectField({
      label: t("composer.form.selected"), draft: choice, key: "at",
      choices: page.items.map((item, place) => [String(place), item.title || t("composer.quick.item", { number: place + 1 })]),
      pointer: () => `${base()}/selectedItemIndex`, changed: () => {
        page.selectedIndex = Number(choice.at);
        changed();
      },
    });
  }

  payload() {
    return formPayload(this.draft, this.context.envelope());
  }

  isBlank() {
    return !this.draft.pages.some(pageHasContent);
  }

  /** A page without a question is nothing that anybody can answer. */
  ownFindings() {
    return this.draft.pages.flatMap((page, index) => (page.question.trim() || page.title.trim() ? [] : [{
      rule: "question-missing", severity: "error", pointer: `${PAGES}/${index}/subtitle`, isOwn: true, docs: null,
      fix: t("composer.form.noQuestion", { number: index + 1 }),
    }]));
  }

  example() {
    this.#pageNames.reset();
    this.#itemNames.reset();
    const words = (name) => t(`composer.example.form.${name}`);
    const [taste, why, shop, mail] = ["page-1", "page-2", "page-3", "page-4"];
    const items = (...titles) => titles.map(([title, next]) => this.#freshItem(words(title), next));
    return {
      ...this.blankDraft(), received: { ...blankCard(words("title")), subtitle: words("subtitle") },
      pages: [
        { ...blankPage(taste), question: words("taste"), items: items(["good", shop], ["bad", ""]) },
        { ...blankPage(why), type: "input", question: words("why"), required: true, multiline: true },
        { ...blankPage(shop), type: "picker", question: words("shop"), items: items(["station"], ["market"], ["harbour"]) },
        { ...blankPage(mail), type: "input", question: words("mail"), hint: words("mailHint"), keyboard: "emailAddress", content: "emailAddress", limit: "100" },
      ],
    };
  }
}

/** The place of an answer among those that are sent. */
const placeOf = (page, item) => page.items.filter((one) => one === item || itemHasContent(one)).indexOf(item);

const words = (name) => ({
  up: t("composer.move.up", { name }), down: t("composer.move.down", { name }), remove: t("composer.move.remove", { name }),
});

customElements.define("question-form", QuestionForm);

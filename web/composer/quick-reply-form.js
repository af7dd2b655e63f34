import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { cardDefaults } from "./card-defaults.js";
import { groupProblem, orderButtons, textField, wordButton } from "./fields.js";
import { FreshNames } from "./fresh-names.js";
import { KindForm } from "./kind-form.js";
import { quickReplyPayload, quickReplyRange } from "./kinds/quick-reply.js";
import { repeatButton, repeatLine, repeatedText, rowParts } from "./repeated-rows.js";

/** A question with two to five answers to tap. */
export class QuickReplyForm extends KindForm {
  #names = new FreshNames("reply");

  #freshItem(title = "") {
    return { identifier: this.#names.next(this.draft?.items), title };
  }

  blankDraft() {
    this.#names.reset();
    return { summary: "", items: [this.#freshItem(), this.#freshItem()] };
  }

  draw() {
    const { draft } = this;
    const changed = () => this.changed();
    const place = (item) => draft.items.filter((it) => it.title.trim() !== "" || it === item).indexOf(item);
    const rows = draft.items.map((item, index) => h("li", { ...rowParts(item), class: `cp-listrow${rowParts(item).class}`, "data-index": String(index) },
      repeatLine(this, item),
      textField({
        label: t("composer.quick.item", { number: index + 1 }), hideLabel: true, draft: item, key: "title",
        changed, placeholder: t("composer.quick.item", { number: index + 1 }), className: "cp-grow",
        pointer: () => `/interactiveData/data/quick-reply/items/${place(item)}/title`,
      }),
      orderButtons({
        index, count: draft.items.length,
        words: {
          up: t("composer.move.up", { name: item.title || index + 1 }),
          down: t("composer.move.down", { name: item.title || index + 1 }),
          remove: t("composer.move.remove", { name: item.title || index + 1 }),
        },
        move: (step) => {
          draft.items.splice(index + step, 0, ...draft.items.splice(index, 1));
          const side = step < 0 ? "up" : "down";
          this.reshape(`[data-index="${index + step}"] [data-move="${side}"]:not(:disabled), [data-index="${index + step}"] input`);
        },
        remove: draft.items.length > quickReplyRange.least || item.list
          ? () => {
            draft.items.splice(index, 1);
            while (draft.items.length < quickReplyRange.least && !draft.items.some(({ list }) => list)) draft.items.push(this.#freshItem());
            this.reshape(`[data-index="${Math.max(0, index - 1)}"] input`);
          }
          : null,
      })));
    return [
      textField({
        label: t("composer.quick.summary"), draft, key: "summary", changed, rows: 2, maxLength: 512,
        placeholder: cardDefaults(this.context?.locale, "quickReply").title,
        pointer: () => "/interactiveData/data/quick-reply/summaryText",
      }),
      this.heading(t("composer.quick.answers"), h("span", { class: "cp-count" }, `${draft.items.length} / ${quickReplyRange.most}`)),
      h("ol", { class: "cp-list" }, ...rows),
      groupProblem("/interactiveData/data/quick-reply/items", () => {
        const inputs = [...this.querySelectorAll(".cp-list input")];
        return inputs.find((input) => !input.value) ?? inputs.at(-1);
      }),
      draft.items.length < quickReplyRange.most
        ? wordButton(t("composer.quick.add"), () => {
          draft.items.push(this.#freshItem());
          this.reshape(`[data-index="${draft.items.length - 1}"] input`);
        }, { iconName: "plus", className: "cp-add" })
        : null,
      repeatButton(this, "quickReply", (list) => {
        const fresh = this.#freshItem();
        draft.items = [...draft.items.filter((one) => one.list || one.title.trim()), { ...fresh, ...repeatedText(fresh.identifier, list) }];
        this.reshape(`[data-index="${draft.items.length - 1}"] input`);
      }),
    ];
  }

  payload() {
    return quickReplyPayload(this.draft, this.context.envelope());
  }

  isBlank() {
    return !this.draft.summary.trim() && this.draft.items.every((item) => !item.title.trim());
  }

  example() {
    this.#names.reset();
    return {
      summary: t("composer.example.quick.summary"),
      items: [1, 2, 3].map((number) => this.#freshItem(t(`composer.example.quick.${number}`))),
    };
  }
}
customElements.define("quick-reply-form", QuickReplyForm);

import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openPopup } from "../lib/popup.js";
import { face } from "./conversation-list.js";
import { matchingMembers, mentionAt } from "../thread/mentions.js";

/** So many members are offered at once. */
const MOST = 8;

/** The members offered while a mention is typed; the focus stays in the field. */
export class MentionMenu {
  /** Ids of the members that were chosen, by name. */
  chosen = new Map();
  #field;
  #button;
  #members;
  #popup = null;
  #found = [];
  #at = 0;
  #place = null;
  /** Where a menu was closed by Escape; it stays closed for that mention. */
  #refused = -1;

  /**
   * @param {HTMLTextAreaElement} field
   * @param {HTMLElement} button beside which it opens
   * @param {() => Promise<import("../thread/mentions.js").Member[]>} members
   */
  constructor(field, button, members) {
    this.#field = field;
    this.#button = button;
    this.#members = members;
    field.addEventListener("input", () => this.update());
    field.addEventListener("blur", () => this.close());
  }

  /** Opens, changes or closes it, as the caret stands. */
  async update() {
    const place = mentionAt(this.#field.value, this.#field.selectionStart);
    if (place?.start !== this.#refused) this.#refused = -1;
    if (!place || place.start === this.#refused) return this.close();
    const members = await this.#members();
    const now = mentionAt(this.#field.value, this.#field.selectionStart);
    if (now?.start !== place.start || now.words !== place.words) return;
    this.#place = place;
    this.#found = matchingMembers(members, place.words).slice(0, MOST);
    this.#at = 0;
    if (this.#found.length) this.#draw();
    else this.close();
  }

  /** Whether a key was meant for the menu. @param {KeyboardEvent} event */
  key(event) {
    if (!this.#popup) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      this.#at = (this.#at + step + this.#found.length) % this.#found.length;
      this.#draw();
    } else if (event.key === "Enter" || event.key === "Tab") {
      this.#choose(this.#found[this.#at]);
    } else if (event.key === "Escape") {
      this.#refused = this.#place.start;
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  close() {
    this.#popup?.close();
  }

  #draw() {
    const rows = this.#found.map((member, index) => h("div", {
      class: "fd-menu-item", role: "option", id: `mention-${index}`, "aria-selected": String(index === this.#at), dataset: { at: index },
    }, member.isTeam ? icon("team", 20) : face(member.name, member.id), h("span", { class: "fd-menu-words" }, member.name),
    member.isTeam ? h("span", { class: "fd-help" }, t("console.mention.team", { count: member.count })) : null));
    if (!this.#popup) {
      this.#popup = openPopup(this.#button, null, {
        label: t("console.mention"), role: "listbox", side: "above", beside: this.#field.closest(".cp-box"), onClose: () => this.#closed(),
      });
      if (!this.#popup) return;
      const { element } = this.#popup;
      element.id = "mention-menu";
      element.addEventListener("pointerdown", (event) => event.preventDefault());
      element.addEventListener("click", (event) => this.#choose(this.#found[event.target.closest("[data-at]")?.dataset.at]));
      this.#field.setAttribute("aria-controls", element.id);
    }
    replace(this.#popup.element, rows);
    this.#popup.settle();
    this.#field.setAttribute("aria-activedescendant", `mention-${this.#at}`);
  }

  #closed() {
    this.#popup = null;
    this.#field.removeAttribute("aria-activedescendant");
    this.#field.removeAttribute("aria-controls");
  }

  #choose(member) {
    if (!member) return;
    const { start } = this.#place;
    this.chosen.set(member.name, member.id);
    this.close();
    this.#field.focus();
    this.#field.setSelectionRange(start, this.#field.selectionStart);
    if (!document.execCommand("insertText", false, `@${member.name} `)) this.#field.setRangeText(`@${member.name} `, start, this.#field.selectionEnd, "end");
  }
}

import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { refusalSentence } from "../lib/refusals.js";
import { findInThread } from "../thread/thread-words.js";

await registerStrings({ en: () => import("../i18n/en/find.js"), ja: () => import("../i18n/ja/find.js") });

/** So many earlier pages are read at most until a further press. */
const MOST_PAGES = 60;

/**
 * Words in the open conversation: its messages and notes, however few of them are drawn. It goes backwards from the
 * newest, and reads earlier messages where they are needed. The browser's own search knows only what is drawn.
 *
 * Values down: `state`, `thread`.
 */
class ThreadFind extends HTMLElement {
  state = null;
  thread = null;
  #found = [];
  #at = -1;
  #round = 0;

  connectedCallback() {
    if (this.firstChild) return;
    adopt(styles);
    this.field = h("input", {
      type: "search", class: "fd-input find-field", maxlength: 256, autocomplete: "off", spellcheck: "false",
      placeholder: t("find.label"), "aria-label": t("find.label"), "aria-describedby": "find-said",
      onInput: () => this.#begin(), onKeydown: (event) => this.#key(event),
    });
    this.said = h("p", { class: "find-said", id: "find-said", role: "status" });
    const button = (name, drawing, run) => h("button", {
      type: "button", class: "fd-button is-plain is-icon", title: t(`find.${name}`), "aria-label": t(`find.${name}`), onClick: run,
    }, icon(drawing, 16));
    replace(this, h("div", { class: "find", role: "search", "aria-label": t("find.label"), title: t("find.browser") },
      this.field, this.said, button("earlier", "up", () => this.#move(-1)), button("later", "down", () => this.#move(1)),
      button("close", "close", () => this.close())));
  }

  /** Shows the field, ready for other words. */
  open() {
    this.hidden = false;
    // The first row can be scrolled out from under the bar.
    this.thread.style.setProperty("--fd-thread-top", `${this.offsetHeight}px`);
    this.field.select();
    this.field.focus();
  }

  /** Whether the cursor stands in it: then the browser's key belongs to the browser. */
  get isInUse() {
    return this.contains(document.activeElement);
  }

  /** Puts it away; the focus goes to what was found. */
  close() {
    this.#round += 1;
    this.hidden = true;
    this.thread.style.removeProperty("--fd-thread-top");
    if (this.#at >= 0) this.thread.reveal(this.#found[this.#at]);
    else this.thread.focusLog();
  }

  #key(event) {
    if (event.isComposing) return;
    const step = { Enter: event.shiftKey ? 1 : -1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step) {
      event.preventDefault();
      this.#move(step);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    }
  }

  /** Other words: the newest place that has them. */
  #begin() {
    this.#round += 1;
    this.#look();
    this.#at = this.#found.length - 1;
    if (this.#at >= 0) this.#show();
    else this.#say();
  }

  /** Finds again, and stays where it is: messages arrive meanwhile. */
  #look() {
    const key = this.#found[this.#at];
    this.#found = this.state.open ? findInThread(this.state.open, this.field.value) : [];
    this.#at = key ? this.#found.indexOf(key) : -1;
  }

  async #move(step) {
    const wasAt = this.#at;
    this.#look();
    if (wasAt < 0 && this.#found.length) this.#at = this.#found.length;
    const next = this.#at + step;
    if (next >= 0 && next < this.#found.length) {
      this.#at = next;
      return this.#show();
    }
    if (this.#at >= this.#found.length) this.#at = this.#found.length - 1;
    if (step < 0 && this.field.value.trim() && this.state.open?.hasMore) return this.#readBack();
    return this.#say();
  }

  /** Reads earlier messages until the words are among them. */
  async #readBack() {
    const round = (this.#round += 1);
    const known = this.#found.length;
    this.said.textContent = t("find.reading");
    try {
      for (let page = 0; page < MOST_PAGES && this.state.open?.hasMore; page += 1) {
        await this.state.loadEarlier();
        if (round !== this.#round || !this.isConnected) return;
        this.#look();
        if (this.#found.length > known) break;
      }
    } catch (problem) {
      this.said.textContent = refusalSentence(problem);
      return;
    }
    const more = this.#found.length - known;
    if (more <= 0) return this.#say();
    this.#at = more - 1;
    this.#show();
  }

  #show() {
    this.thread.reveal(this.#found[this.#at], { isFocused: false });
    this.#say();
  }

  /** Which one of how many; what was not read yet is not counted. */
  #say() {
    const count = this.#found.length;
    const more = this.state.open?.hasMore;
    const words = !this.field.value.trim() ? ""
      : count ? t(more ? "find.placeMore" : "find.place", { number: count - Math.max(0, this.#at), count })
        : t(more ? "find.noneYet" : "find.none");
    if (this.said.textContent !== words) this.said.textContent = words;
  }
}

const styles = sheet(`
thread-find { grid-area: 2 / 1; z-index: 2; align-self: start; justify-self: end; max-width: 100%; padding: 8px 12px 0 8px; }
thread-find[hidden] { display: none; }
.find { display: flex; align-items: center; gap: 2px; padding: 4px; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-2); }
.find-field { flex: 1 1 220px; width: 220px; min-width: 0; min-height: 32px; }
.find-field::-webkit-search-cancel-button { display: none; }
.find-said { flex: none; padding: 0 8px; color: var(--fd-ink-2); font-size: var(--fd-text-xs); font-variant-numeric: tabular-nums; white-space: nowrap; }
.find-said:empty { padding: 0; }
.find .fd-button { flex: none; width: 32px; min-height: 32px; padding: 0; }
@media (max-width: 720px) {
  thread-find { justify-self: stretch; padding: 4px 8px 0; }
  .find { flex-wrap: wrap; }
  .find .fd-button { width: 40px; min-height: 40px; }
  .find-field { flex-basis: 120px; }
  .find-said:not(:empty) { order: 1; flex-basis: 100%; }
}
@media (max-height: 400px) {
  thread-find { padding: 2px 4px 0; }
  .find { flex-wrap: nowrap; padding: 2px; }
  .find .fd-button { width: 32px; min-height: 32px; }
  .find-field { flex-basis: 60px; }
  .find-said:not(:empty) { order: 0; flex: 0 1 auto; padding: 0 4px; overflow: hidden; text-overflow: ellipsis; }
}
`);

customElements.define("thread-find", ThreadFind);

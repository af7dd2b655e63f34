import { h, sheet } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { formatMoment } from "../lib/time.js";
import { icon } from "../lib/icons.js";
import { wordButton } from "./fields.js";
import { icon as ownIcon } from "./icons.js";
import { adoptStyles } from "./styles.js";

await registerStrings({ en: () => import("../i18n/en/reply-window.js"), ja: () => import("../i18n/ja/reply-window.js") });

/** The interval of counting the time that is left. */
const TICK_MILLISECONDS = 20_000;
const MINUTE = 60_000;
/** With less than this left it is marked. */
const SOON = 60 * MINUTE;

const styles = sheet(`
reply-window { display: flex; gap: var(--fd-space-2); align-items: flex-start; flex: none; color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
reply-window > svg { flex: none; margin-top: 2px; }
reply-window.is-soon { color: var(--fd-warn); }
reply-window.has-ended { gap: var(--fd-space-3); padding: var(--fd-space-3); border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); color: var(--fd-ink); font-size: inherit; }
reply-window.has-ended > svg { color: var(--fd-warn); }
reply-window.has-ended p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); margin-top: 2px; }
reply-window .cp-button { margin-top: var(--fd-space-2); }
/* The room is the picker's while it is open. */
reply-window:has(+ whatsapp-templates) :is(p, .cp-button) { display: none; }
reply-window:has(+ whatsapp-templates) { padding-block: var(--fd-space-2); }
desk-composer:has(> whatsapp-templates) > :is(.cp-box, .cp-sheet) { display: none; }
`);

/**
 * Until when the customer's channel accepts what an agent writes: the time left, and that it has ended.
 *
 * Values down: `until`, an ISO time; `redraw`, called when the time has ended; `templates`, what the picker of templates gets, which
 * stands behind this element while it is open; null where none can be sent.
 */
class ReplyWindow extends HTMLElement {
  #until = "";
  #timer = 0;
  #shown = "";
  #endLanguage = null;
  #picker = null;
  redraw = () => {};
  /** @type {any} */
  templates = null;

  connectedCallback() {
    adoptStyles(this, [styles]);
    this.#endLanguage ??= onLanguageChange(() => {
      this.#shown = "";
      this.#draw();
    });
    this.#draw();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#closeTemplates();
    this.#endLanguage?.();
    this.#endLanguage = null;
  }

  set until(until) {
    this.#until = until ?? "";
    // What was chosen for another customer is not sent to this one.
    if (this.#picker && this.#picker.conversation !== this.templates?.conversation?.id) this.#closeTemplates();
    if (this.isConnected) this.#draw();
  }

  #draw() {
    clearTimeout(this.#timer);
    this.hidden = !this.#until;
    if (!this.#until) return;
    const left = Date.parse(this.#until) - Date.now();
    this.className = left <= 0 ? "has-ended" : left < SOON ? "is-soon" : "";
    const words = left > 0 ? t("window.left", { time: lengthWords(left), until: formatMoment(new Date(this.#until)) }) : "";
    const mark = words || (this.templates ? "over, with templates" : "over");
    if (mark !== this.#shown) {
      const isNews = left <= 0 && this.#shown !== "" && !this.#shown.startsWith("over");
      this.#shown = mark;
      // Minutes that pass are not read out; that it has ended is.
      this.setAttribute("role", left > 0 ? "note" : "status");
      this.replaceChildren(...(left > 0 ? [icon("clock", 14), h("span", null, words)]
        : [ownIcon("lock"), h("div", null, h("strong", null, t("window.over.title")), h("p", null, t("window.over.text")), this.#button())]));
      if (isNews) this.redraw();
    }
    if (left > 0) this.#timer = setTimeout(() => this.#draw(), Math.min(TICK_MILLISECONDS, left + 50));
  }

  #button() {
    if (!this.templates) return null;
    const button = wordButton(t("window.templates"), () => this.#openTemplates(button), { iconName: "template" });
    button.setAttribute("aria-expanded", "false");
    return button;
  }

  async #openTemplates(button) {
    if (this.#picker) return this.#closeTemplates();
    const context = this.templates;
    try {
      await import("./whatsapp-templates.js");
    } catch {
      return;  // Safe: the button is still there.
    }
    if (this.#picker || !this.isConnected || context.conversation.id !== this.templates?.conversation.id) return;
    const picker = /** @type {any} */ (document.createElement("whatsapp-templates"));
    this.#picker = picker;
    picker.conversation = context.conversation.id;
    picker.addEventListener("templates-close", () => {
      this.#closeTemplates();
      // Drawn again meanwhile, it has another button, or none.
      (this.querySelector("button") ?? this.closest("desk-composer"))?.focus();
    });
    button.setAttribute("aria-expanded", "true");
    this.after(picker);
    picker.open(context);
  }

  #closeTemplates() {
    this.#picker?.remove();
    this.#picker = null;
    this.querySelector("button")?.setAttribute("aria-expanded", "false");
  }
}

/** A length in hours and minutes, at least a minute. @param {number} milliseconds */
export function lengthWords(milliseconds) {
  const minutes = Math.max(1, Math.floor(milliseconds / MINUTE));
  const hours = Math.floor(minutes / 60);
  return hours ? t("window.hours", { hours, minutes: minutes % 60 }) : t("window.minutes", { count: minutes });
}

/**
 * Shows the time behind an element, or nothing where there is no such time.
 * @param {Element} before @param {string|undefined} until @param {{redraw: () => void, templates: any}} around
 */
export function showReplyWindow(before, until, { redraw, templates }) {
  const next = before.nextElementSibling;
  const shown = /** @type {any} */ (next?.localName === "reply-window" ? next : document.createElement("reply-window"));
  shown.redraw = redraw;
  shown.templates = templates;
  shown.until = until;
  if (shown !== next) before.after(shown);
}

customElements.define("reply-window", ReplyWindow);

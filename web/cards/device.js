import "./desk-card.js";
import { erasedMark } from "./erased-mark.js";
import { applyAccent } from "../lib/accent.js";
import { h, oncePerFrame, sheet } from "../lib/dom.js";
import { isErased } from "../lib/erased.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { openPressedPicture } from "./picture-viewer.js";
import { picturesOf } from "./pictures.js";
import { sortTapbacks } from "./tapbacks.js";
import { formatClock, formatDivider, readTime } from "../lib/time.js";

/** How many of the last messages the drawn phone shows. */
const SHOWN_MESSAGES = 30;

/**
 * A drawn phone with the thread as the customer sees it.
 *
 * Values down: `business`, `messages` (ascending), `draft` (the payload being written, or null),
 * `draftAttachments`, `attachmentUrl`, `typing` (whether dots are shown).
 */
export class DeskDevice extends HTMLElement {
  #values = {
    business: null, messages: [], draft: null, draftAttachments: [], typing: false,
    attachmentUrl: (id) => `/api/attachments/${id}`,
  };
  #draft = null;
  #endLanguage = () => {};
  #drawSoon = oncePerFrame(() => this.isConnected && this.#draw());
  #drawDraftSoon = oncePerFrame(() => this.isConnected && this.#drawDraft());

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles];
    this.shadowRoot.addEventListener("attachment-open", (event) =>
      openPressedPicture(event, picturesOf(this.messages ?? [], this.attachmentUrl)));
  }

  connectedCallback() {
    this.#endLanguage = onLanguageChange(() => this.#drawSoon());
    document.addEventListener("theme-change", this.#drawSoon);
    this.#draw();
  }

  disconnectedCallback() {
    this.#endLanguage();
    document.removeEventListener("theme-change", this.#drawSoon);
  }

  #draw() {
    const { business } = this;
    if (business?.colour) applyAccent(this, business.colour);
    const name = business?.name ?? "";
    this.#draft = null;
    const thread = h("div", {
      class: "thread", role: "region", tabindex: "0", "aria-label": t("device.label"),
    }, this.#rows(), h("div", { class: "draft" }));
    this.shadowRoot.replaceChildren(h("div", { class: "phone" },
      h("div", { class: "screen" },
        h("div", { class: "status", "aria-hidden": "true" },
          h("b", null, formatClock(new Date())), h("i", null), h("span", null)),
        h("header", null, avatar(business), h("strong", null, name)),
        thread,
        h("div", { class: "foot", "aria-hidden": "true" },
          h("span", { class: "plus" }, icon("add", 18)),
          h("span", { class: "field" }, t("device.message"))))));
    this.#drawDraft();
    thread.scrollTop = thread.scrollHeight;
  }

  #rows() {
    const { messages, tapbacks } = sortTapbacks(this.messages ?? []);
    const shown = messages.slice(-SHOWN_MESSAGES);
    const answers = new Map(shown.filter((message) => message.inReplyTo)
      .map((message) => [message.inReplyTo, message.payload]));
    const rows = [];
    let day = "";
    for (const message of shown) {
      const time = readTime(message.time);
      const divider = time ? formatDivider(time) : "";
      if (divider !== day) {
        day = divider;
        rows.push(h("p", { class: "day" }, divider));
      }
      rows.push(isErased(message) ? erasedMark(message, message.direction === "inbound" ? "is-mine" : "") : h("desk-card", {
        class: message.direction === "inbound" ? "is-mine" : "",
        ".payload": message.payload, ".direction": message.direction,
        ".reply": answers.get(message.id) ?? null, ".attachments": message.attachments ?? [],
        ".attachmentUrl": (id) => this.attachmentUrl(id, message.id),
      }));
      const tapback = tapbacks.get(message.id);
      if (tapback) {
        rows.push(h("span", {
          class: `tapback${message.direction === "inbound" ? " is-mine" : ""}`, role: "img",
          "aria-label": t(`device.tapback.${tapback.kind}`, { sign: tapback.sign }),
        }, tapback.sign));
      }
    }
    if (this.typing) {
      rows.push(h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")));
    }
    return rows;
  }

  /** The draft keeps its card while it is written: only its payload changes. */
  #drawDraft() {
    const slot = this.shadowRoot.querySelector(".draft");
    if (!slot) return this.#drawSoon();
    if (!this.draft) {
      this.#draft = null;
      const isEmpty = (this.messages ?? []).length === 0;
      slot.replaceChildren(isEmpty ? h("p", { class: "empty" }, t("device.empty")) : "");
      return;
    }
    const thread = this.shadowRoot.querySelector(".thread");
    const isNew = this.#draft === null;
    const wasAtEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 24;
    if (isNew) {
      this.#draft = h("desk-card", { ".direction": "outbound", ".expanded": true });
      slot.replaceChildren(h("p", { class: "day is-draft" }, t("device.draft")), this.#draft);
    }
    this.#draft.payload = this.draft;
    this.#draft.attachments = this.draftAttachments;
    this.#draft.attachmentUrl = this.attachmentUrl;
    if (!isNew && !wasAtEnd) return;
    queueMicrotask(() => {
      // A draft taller than the screen begins at its top: that is where its title is.
      const isTall = slot.offsetHeight > thread.clientHeight;
      thread.scrollTop = isTall && isNew
        ? slot.offsetTop - thread.offsetTop : thread.scrollHeight;
    });
  }

  static {
    for (const name of ["business", "messages", "typing", "attachmentUrl", "draft",
      "draftAttachments"]) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#values[name];
        },
        set(value) {
          this.#values[name] = value;
          if (name.startsWith("draft")) this.#drawDraftSoon();
          else this.#drawSoon();
        },
      });
    }
  }
}

/** A business's picture, or its first letter on its colour. @param {any} business */
export function avatar(business) {
  if (business?.picture) {
    return h("img", { class: "avatar", src: business.picture, alt: "", width: 40, height: 40 });
  }
  return h("span", { class: "avatar is-letter", "aria-hidden": "true" },
    [...(business?.name ?? "")][0]?.toUpperCase() ?? "");
}

const styles = sheet(`
*, *::before, *::after { box-sizing: border-box; }
:host {
  display: block; width: 100%; max-width: 360px; min-height: 420px; height: 680px; max-height: 100%;
  font: 400 var(--fd-text-md) / 1.4 var(--fd-font); color: var(--fd-ink);
}
p { margin: 0; }
.phone {
  height: 100%; padding: 9px; border-radius: 48px; background: #16181f;
  box-shadow: inset 0 0 0 1.5px #3c404c, var(--fd-shadow-3);
}
.screen {
  display: flex; flex-direction: column; height: 100%; overflow: hidden; border-radius: 40px;
  background: var(--fd-bg);
}
.status {
  display: flex; align-items: center; justify-content: space-between; flex: none;
  padding: 10px 26px 0; font-size: 12px;
}
.status b { min-width: 54px; font-weight: 600; font-variant-numeric: tabular-nums; }
.status i { width: 78px; height: 21px; border-radius: 99px; background: #16181f; }
.status span { width: 54px; height: 10px; display: flex; justify-content: flex-end; }
.status span::after { content: ""; width: 22px; border: 1.5px solid currentColor; border-radius: 4px; background: linear-gradient(90deg, currentColor 70%, transparent 70%); }
header {
  display: grid; justify-items: center; gap: 3px; flex: none; padding: 8px 20px 10px;
  border-bottom: 1px solid var(--fd-line); font-size: var(--fd-text-xs);
}
header strong { font-weight: 500; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.avatar { display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; object-fit: cover; }
.avatar.is-letter { background: var(--fd-accent); color: var(--fd-accent-ink); font-size: 18px; font-weight: 600; }
.thread { flex: 1; min-height: 0; overflow-y: auto; padding: 12px 12px 16px; display: flex; flex-direction: column; gap: 6px; scrollbar-width: none; }
.thread:focus-visible { outline: 2px solid var(--fd-focus); outline-offset: -2px; }
.thread > :first-child { margin-top: auto; }
desk-card { width: 84%; flex: none; align-self: flex-start; }
desk-card.is-mine { align-self: flex-end; }
.erased { align-self: flex-start; padding: 8px 14px; border: 1px dashed var(--fd-line-strong); border-radius: 20px; color: var(--fd-ink-3); font-style: italic; }
.erased.is-mine { align-self: flex-end; }
.day { align-self: center; padding: 6px 0 2px; text-align: center; font-size: var(--fd-text-2xs); font-weight: 500; color: var(--fd-ink-3); }
.draft { display: grid; gap: 6px; margin-top: 2px; }
.draft:empty { display: none; }
.draft desk-card { min-width: 0; }
.is-draft::before, .is-draft::after { content: "·"; margin: 0 6px; }
.empty { padding: 0 24px 60px; text-align: center; color: var(--fd-ink-3); font-size: var(--fd-text-sm); }
.tapback { align-self: flex-start; margin: -10px 14px 0; padding: 3px 8px; border-radius: 99px;
  border: 2px solid var(--fd-bg); background: var(--fd-bubble); font-size: 0.9rem; line-height: 1.2; z-index: 1; }
.tapback.is-mine { align-self: flex-end; }
.dots { display: inline-flex; gap: 5px; align-self: flex-start; padding: 13px 14px; border-radius: 20px; background: var(--fd-bubble); }
.dots i { width: 8px; height: 8px; border-radius: 50%; background: var(--fd-ink-3); }
.foot { display: flex; align-items: center; gap: 10px; flex: none; padding: 8px 14px 20px; border-top: 1px solid var(--fd-line); color: var(--fd-ink-3); }
.plus { display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%; background: var(--fd-bg-hover); }
.field { flex: 1; padding: 5px 14px; border: 1px solid var(--fd-line-strong); border-radius: 99px; font-size: var(--fd-text-sm); }
@media (prefers-reduced-motion: no-preference) {
  .dots i { animation: breathe 1.3s infinite ease-in-out; }
  .dots i:nth-child(2) { animation-delay: 0.16s; }
  .dots i:nth-child(3) { animation-delay: 0.32s; }
  @keyframes breathe { 0%, 60%, 100% { opacity: 0.35; } 30% { opacity: 1; } }
}
`);

customElements.define("desk-device", DeskDevice);

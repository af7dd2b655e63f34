import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { cardStyles } from "./card-styles.js";
import { answerCard, cardKind, kindOf, requestCard } from "./kinds.js";
import { viewStyles } from "./view-styles.js";

/**
 * Draws one message as the customer's device would.
 *
 * Values down: `payload` (an object, complete or half-typed), `direction` ("outbound" or
 * "inbound"), `perspective` ("customer" or "business": whose messages have the accent colour),
 * `reply` (the payload that answered this one, or null), `interactive` (a tap opens the sheet),
 * `expanded` (shows the card's details), `attachments`, `missing` (places of files that are not
 * stored), `attachmentUrl`.
 * Events up: `card-open` with `detail.kind` and, for a quick reply, `detail.identifier`;
 * `attachment-open` with `detail.attachment` and `detail.url`.
 */
export class DeskCard extends HTMLElement {
  #values = {
    payload: null, direction: "outbound", perspective: "customer", reply: null,
    interactive: false, expanded: false, attachments: [], missing: [],
    attachmentUrl: (id) => `/api/attachments/${id}`,
  };
  #isWaiting = false;
  #endLanguage = () => {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [viewStyles, cardStyles];
  }

  connectedCallback() {
    this.#endLanguage = onLanguageChange(() => this.#drawSoon());
    this.#draw();
  }

  disconnectedCallback() {
    this.#endLanguage();
  }

  /** Several values set in a row are one drawing. */
  #drawSoon() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.isConnected) this.#draw();
    });
  }

  #draw() {
    let content;
    try {
      content = this.#content();
    } catch (error) {
      // Safe: a drawing that fails must not break the thread; the console has the reason.
      console.error(error);
      content = h("p", { class: "bubble is-empty" }, t("card.unknown"));
    }
    const isMine = (this.direction === "inbound") === (this.perspective === "customer");
    this.shadowRoot.replaceChildren(
      h("div", { class: `stack${isMine ? " is-mine" : ""}` }, content));
  }

  #content() {
    const kind = kindOf(this.payload);
    const isAnswer = this.direction === "inbound";
    const { bubble } = cardKind(kind);
    if (bubble) {
      return bubble({
        payload: this.payload, reply: this.reply, isAnswer, isInteractive: this.interactive,
        attachments: this.attachments, missing: this.missing, attachmentUrl: this.attachmentUrl,
        open: (identifier) => this.#emit("card-open", { kind, identifier }),
        openAttachment: (attachment, url) => this.#emit("attachment-open", { attachment, url }),
      });
    }
    return this.#card(isAnswer ? answerCard(kind, this.payload, this.perspective)
      : requestCard(kind, this.payload, this.reply));
  }

  /** @param {import("./card-parts.js").CardParts} parts */
  #card(parts) {
    const canOpen = this.interactive && this.direction === "outbound"
      && cardKind(parts.kind).answeredBy === "sheet";
    const canExpand = !canOpen && parts.details !== null && parts.details !== undefined;
    const top = [
      parts.face,
      (parts.hint || canExpand) && h("div", { class: `hint is-${parts.kind}` },
        h("span", null, parts.hint), (canOpen || canExpand) && icon("chevron", 16)),
    ];
    const label = [parts.label, t(`card.${parts.kind}`)].join(", ");
    let head;
    if (canOpen) {
      head = h("button", {
        class: "head", type: "button", "aria-haspopup": "dialog",
        onClick: () => this.#emit("card-open", { kind: parts.kind }),
      }, top);
    } else if (canExpand) {
      head = h("button", {
        class: "head", type: "button", "aria-expanded": String(this.expanded),
        onClick: () => {
          this.expanded = !this.expanded;
        },
      }, top);
    } else {
      head = h("div", { class: "head" }, top);
    }
    return h("div", {
      class: `card is-${parts.kind}${this.expanded ? " is-open" : ""}`
        + `${this.direction === "inbound" ? " is-answer" : ""}`, role: "group",
      "aria-label": label,
    }, head, this.expanded && parts.details && h("div", { class: "details" }, parts.details),
    parts.mark);
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  static {
    for (const name of ["payload", "direction", "perspective", "reply", "interactive", "expanded",
      "attachments", "missing", "attachmentUrl"]) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#values[name];
        },
        set(value) {
          this.#values[name] = value;
          this.#drawSoon();
        },
      });
    }
  }
}

customElements.define("desk-card", DeskCard);

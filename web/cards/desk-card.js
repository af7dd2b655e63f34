import { h, sheet } from "../lib/dom.js";

const styles = sheet(":host { display: block }");

/**
 * Draws one message as the customer's device would.
 *
 * Values down: `payload` (an object, complete or half-typed), `direction` ("outbound" or
 * "inbound"), `perspective` ("customer" or "business": whose messages stand on the right), `reply`
 * (the payload that answered this one, or null), `interactive`, `attachments`, `attachmentUrl`.
 * Events up: `card-open` with `detail.kind` when an interactive card is tapped.
 */
export class DeskCard extends HTMLElement {
  #values = {
    payload: null, direction: "outbound", perspective: "customer", reply: null,
    interactive: false, attachments: [], attachmentUrl: (sha) => `/api/attachments/${sha}`,
  };

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles];
  }

  connectedCallback() {
    this.#draw();
  }

  #draw() {
    if (!this.isConnected) return;
    this.shadowRoot.replaceChildren(h("p", null, String(this.payload?.body ?? "")));
  }

  static {
    for (const name of ["payload", "direction", "perspective", "reply", "interactive",
      "attachments", "attachmentUrl"]) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#values[name];
        },
        set(value) {
          this.#values[name] = value;
          this.#draw();
        },
      });
    }
  }
}

customElements.define("desk-card", DeskCard);

import { pageData } from "./page-data.js";

/**
 * The page in the frame of a widget, as the page around it sees it. The policy `frame-ancestors` lets only pages
 * of the business in, so what comes from the window around this one comes from such a page.
 *
 * Events: `opened`, `closed`, `page` with `detail.greeting`, `locale` with `detail.locale`, `renewed` after `ended()`,
 * `settle` with `detail.holder`, the name of this tab, when the customer is about to be signed in, which is answered by
 * `settled()`.
 */
export class Embedding extends EventTarget {
  /** Whether the customer sees the frame. */
  isOpen = false;
  /** What the page says of the customer, in the form in which it is sent; null for nothing. */
  page = null;
  greeting = "";
  /** Whether the customer is signed in, and the page says again who it is when the server knows it no more. */
  renews = false;
  #origin = null;
  /** Since the customer saw, in this tab or another, what there was, or wrote. */
  #unread = 0;
  #seen = 0;

  constructor() {
    super();
    addEventListener("message", (event) => this.#receive(event));
  }

  /** Says that this page listens. It is the one message for a page of unknown origin, and holds nothing. */
  ready() {
    parent.postMessage({ frontdesk: "ready" }, "*");
  }

  /** Asks the page around this one to hide the frame. */
  close() {
    this.#post("close");
  }

  /** The server does not know the customer any more. */
  ended() {
    this.#post("ended");
  }

  /** Nothing is on its way to the server any more. */
  settled() {
    this.#post("settled");
  }

  /** No file is kept any more under this tab's name. As with `ready`, it holds nothing. */
  released() {
    parent.postMessage({ frontdesk: "released" }, "*");
  }

  /** A message of the business came. */
  arrived() {
    if (this.isOpen && !document.hidden) return;
    this.#setUnread(this.#unread + 1);
  }

  /** The customer wrote, here or on another device: what came before is counted no more. */
  wrote() {
    if (this.#unread > 0) this.#setUnread(0);
  }

  /**
   * Notes up to which message the customer has seen, while the frame is open.
   * @param {any[]} messages ascending
   */
  saw(messages) {
    const sequence = messages.at(-1)?.sequence ?? 0;
    if (!this.isOpen || document.hidden || sequence <= this.#seen) return;
    this.#seen = sequence;
    this.#post("seen", { sequence });
    this.#setUnread(0);
  }

  #setUnread(count) {
    this.#unread = count;
    this.#post("unread", { count });
  }

  #receive({ data, origin, source }) {
    if (source !== parent || typeof data?.frontdesk !== "string") return;
    this.#origin = origin;
    const emit = (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail }));
    switch (data.frontdesk) {
      case "opened":
        this.isOpen = true;
        this.#setUnread(0);
        return emit("opened");
      case "closed":
        this.isOpen = false;
        return emit("closed");
      case "seen":
        this.#unread = 0;
        return;
      case "page":
        this.page = pageData(data.page);
        if (typeof data.greeting === "string") this.greeting = data.greeting;
        this.renews = data.renews === true;
        return emit("page");
      case "renewed":
        return emit("renewed");
      case "settle":
        return emit("settle", { holder: String(data.holder ?? "1") });
      case "locale":
        return emit("locale", { locale: String(data.locale) });
      default:
    }
  }

  #post(type, values = {}) {
    if (this.#origin) parent.postMessage({ frontdesk: type, ...values }, this.#origin);
  }
}

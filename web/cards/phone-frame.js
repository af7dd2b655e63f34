import { h, sheet } from "../lib/dom.js";
import { language, onLanguageChange, t } from "../lib/i18n.js";
import { passOnUse } from "./phone-keys.js";

/** How wide the page in the frame believes to be, in pixels; it is scaled to the room there is. */
const WIDTH = 375;

/**
 * The customer's page in a frame, as the simulated phone.
 *
 * Values down: `business`, `messages` (ascending), `draft` (the payload being written, or null),
 * `draftAttachments`, `attachmentUrl`, `isTyping`; `isLive`: the page of the customer that this browser itself is,
 * which can be written in; without it a preview, which asks the server for nothing and can send nothing.
 * `look` (`locale` and `scheme`, each null for that of the page around it). Events up: `phone-ready`, and `phone-used` when a
 * key or a press is in it; keys that it has no use for come out of it (`phone-keys.js`).
 */
export class PhoneFrame extends HTMLElement {
  #values = {
    business: null, messages: [], draft: null, draftAttachments: [], attachmentUrl: (id) => `/api/attachments/${id}`,
    isTyping: false, look: { locale: null, scheme: null },
  };
  #isLive = false;
  #address = "";
  #frame = null;
  #phone = null;
  #observer = null;
  #endLanguage = () => {};

  connectedCallback() {
    adopt(this);
    this.#endLanguage = onLanguageChange(() => this.#show({ look: this.#look() }));
    document.addEventListener("theme-change", this.#relook);
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#load();
  }

  disconnectedCallback() {
    this.#endLanguage();
    document.removeEventListener("theme-change", this.#relook);
    this.#observer.disconnect();
    this.#address = "";
    this.#phone = null;
    this.replaceChildren();
  }

  get isLive() { return this.#isLive; }
  set isLive(isLive) {
    this.#isLive = isLive;
    this.#load();
  }

  #relook = () => this.#show({ look: this.#look() });

  /** The page for this business, loaded once it is on screen. */
  #load() {
    const { business } = this.#values;
    if (!this.isConnected || !business) return;
    const address = `/b/${encodeURIComponent(business.id)}${this.#isLive ? "" : "?preview"}`;
    if (address === this.#address) return;
    this.#address = address;
    this.#phone = null;
    this.#frame = h("iframe", { src: address, title: t("device.label"), loading: "lazy" });
    this.#frame.addEventListener("load", () => this.#loaded());
    const screen = h("div", { class: "phone-screen" }, this.#frame);
    this.replaceChildren(h("div", { class: "phone-case" }, screen));
    this.#observer.disconnect();
    this.#observer.observe(screen);
  }

  async #loaded() {
    const frame = this.#frame;
    const phone = frame.contentDocument?.querySelector("phone-app");
    // A page that is no phone, such as one of an error, is shown as it is.
    if (!phone) return;
    await frame.contentWindow.customElements.whenDefined("phone-app");
    if (frame !== this.#frame) return;
    this.tabIndex = -1;
    passOnUse(frame.contentWindow, this);
    this.#phone = phone;
    this.#show({ ...this.#values, look: this.#look() });
    this.dispatchEvent(new CustomEvent("phone-ready"));
  }

  #look() {
    const { locale, scheme } = this.#values.look;
    const around = getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light";
    return { locale: locale ?? language(), scheme: scheme ?? around };
  }

  #show(values) {
    this.#phone?.show?.(values);
  }

  #fit() {
    const screen = /** @type {HTMLElement|null} */ (this.querySelector(".phone-screen"));
    if (!screen?.clientWidth) return;
    const scale = Math.min(1, screen.clientWidth / WIDTH);
    const { style } = this.#frame;
    style.setProperty("width", `${screen.clientWidth / scale}px`);
    style.setProperty("height", `${screen.clientHeight / scale}px`);
    style.setProperty("transform", `scale(${scale})`);
  }

  static {
    for (const name of ["business", "messages", "draft", "draftAttachments", "attachmentUrl", "isTyping", "look"]) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#values[name];
        },
        set(value) {
          this.#values[name] = value;
          if (name === "business") this.#load();
          this.#show({ [name]: name === "look" ? this.#look() : value });
        },
      });
    }
  }
}

const styles = sheet(`
phone-frame { display: block; width: 100%; max-width: 360px; min-height: 420px; height: 680px; max-height: 100%; }
phone-frame:focus-visible { outline: 2px solid var(--fd-focus); outline-offset: 2px; border-radius: 44px; }
phone-switches { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 6px; flex: none; padding-top: 10px; }
phone-switches .fd-segments { flex: none; width: auto; }
phone-switches .fd-button { min-height: 32px; font-size: var(--fd-text-sm); }
.phone-abilities-list { width: 260px; padding: 8px; gap: 8px; }
.phone-abilities-list label { display: flex; align-items: center; gap: 8px; }
phone-frame[hidden] { display: none; }
.phone-case { height: 100%; padding: 9px; border-radius: 44px; background: #16181f; box-shadow: inset 0 0 0 1.5px #3c404c, var(--fd-shadow-3); }
.phone-screen { position: relative; height: 100%; overflow: hidden; border-radius: 36px; background: var(--fd-bg); }
.phone-screen > iframe { position: absolute; inset: 0 auto auto 0; border: 0; transform-origin: 0 0; background: var(--fd-bg); }
`);

function adopt(element) {
  const root = /** @type {Document|ShadowRoot} */ (element.getRootNode());
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles];
}

customElements.define("phone-frame", PhoneFrame);

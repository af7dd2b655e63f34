import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isKey, keyOfAction, ownerOf } from "./key-bindings.js";
import { onOtherPreferences, preferences, setPreferences } from "./preferences.js";
import { actionGroups, actionWords, offeredActions, shortcuts } from "./shortcuts.js";
import { keyStyles } from "./key-styles.js";

adopt(keyStyles);

/** A second key is awaited for so long, in milliseconds. */
const SECOND_KEY_MILLISECONDS = 900;

/** Which key does what: each can be changed or removed, and all can be switched off. Stored at once, for every device. */
class KeySettings extends HTMLElement {
  session = null;
  /** The action whose key is being pressed, and what was pressed of it. */
  #asked = "";
  #pressed = "";
  #timer = 0;

  #listening = new AbortController();

  connectedCallback() {
    onOtherPreferences(() => { if (!this.#asked) this.#draw(); }, this.#listening.signal);
    this.#draw();
  }

  disconnectedCallback() {
    this.#listening.abort();
    clearTimeout(this.#timer);
  }

  #draw() {
    const { keys } = preferences();
    this.status = h("p", { class: "fd-help", role: "status" });
    this.reset = h("button", {
      type: "button", class: "fd-button", disabled: !Object.keys(keys.own).length, onClick: () => {
        setPreferences({ keys: { ...preferences().keys, own: {} } });
        this.#draw();
      },
    }, t("console.keys.reset"));
    replace(this,
      h("h2", null, t("console.keys")),
      h("p", { class: "fd-help" }, t("console.keys.lead")),
      h("div", { class: "mark" }, h("input", {
        type: "checkbox", id: "keys-on", checked: !keys.isOff, onChange: (event) => {
          setPreferences({ keys: { ...keys, isOff: !event.target.checked } });
          this.#draw();
          this.querySelector("#keys-on").focus();
        },
      }), h("label", { for: "keys-on" }, t("console.keys.on"))),
      this.status,
      keys.isOff ? null : actionGroups.map((group) => h("section", null, h("h3", { class: "key-group" }, t(`console.keys.${group}`)),
        h("ul", { class: "key-rows" }, offeredActions(this.session).filter((one) => one.group === group).map((one) => this.#row(one, keys))))),
      keys.isOff ? null : h("div", { class: "form-actions" }, this.reset));
  }

  #row(action, keys) {
    const key = keyOfAction(action, keys);
    const words = actionWords(action);
    const button = h("button", {
      type: "button", class: "key-button", dataset: { action: action.id }, "aria-label": t("console.keys.change", { action: words, keys: key || t("console.keys.none") }),
      onClick: () => this.#ask(action.id), onKeydown: (event) => this.#key(event, action), onBlur: () => this.#end(action),
    }, key ? key.split(" ").map((one) => h("kbd", null, one)) : h("span", null, t("console.keys.none")));
    return h("li", null, h("span", null, words), button);
  }

  #ask(id) {
    this.#asked = id;
    this.#pressed = "";
    const button = this.querySelector(`[data-action="${id}"]`);
    button.classList.add("is-asking");
    replace(button, t("console.keys.press"));
    this.status.textContent = t("console.keys.pressLead");
  }

  #key(event, action) {
    if (this.#asked !== action.id || event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Tab" || event.key === "Shift") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return this.#end(action);
    if (event.key === "Backspace" || event.key === "Delete") return this.#set(action, "");
    const pressed = this.#pressed ? `${this.#pressed} ${event.key}` : event.key;
    if (!isKey(pressed)) return;
    this.#pressed = pressed;
    clearTimeout(this.#timer);
    if (pressed.includes(" ")) this.#set(action, pressed);
    else this.#timer = setTimeout(() => this.#set(action, pressed), SECOND_KEY_MILLISECONDS);
  }

  #set(action, key) {
    const { keys } = preferences();
    const owner = ownerOf(shortcuts, keys, action.id, key);
    if (owner) {
      this.#end(action);
      this.status.textContent = t("console.keys.taken", { keys: key, action: actionWords(owner) });
      return;
    }
    const own = { ...keys.own, [action.id]: key };
    if (key === action.key) delete own[action.id];
    setPreferences({ keys: { ...keys, own } });
    this.#end(action);
    this.status.textContent = t("console.keys.changed", { action: actionWords(action), keys: key || t("console.keys.none") });
  }

  /** The key is drawn again, changed or not; only its row, so that the focus that went elsewhere stays there. */
  #end(action) {
    clearTimeout(this.#timer);
    if (this.#asked !== action.id) return;
    this.#asked = "";
    const { keys } = preferences();
    const button = this.querySelector(`[data-action="${action.id}"]`);
    const hadFocus = button === document.activeElement;
    button.parentElement.replaceWith(this.#row(action, keys));
    this.reset.disabled = !Object.keys(keys.own).length;
    this.status.textContent = "";
    if (hadFocus) this.querySelector(`[data-action="${action.id}"]`).focus();
  }
}

customElements.define("key-settings", KeySettings);

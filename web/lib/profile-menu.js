import { h, replace } from "./dom.js";
import { language, languages, onLanguageChange, setLanguage, t } from "./i18n.js";
import { icon } from "./icons.js";
import { initials } from "./names.js";
import { replaceKeepingFocus } from "./reconcile.js";
import { refusalSentence } from "./refusals.js";
import { segments } from "./segments.js";
import { setTheme, theme, themes } from "./theme.js";
import { showToast } from "./toast.js";

/** What an agent can choose to be, in the order shown. */
export const availabilities = Object.freeze(["online", "away", "busy", "invisible"]);

/**
 * The menu of what concerns the person alone: whether they are there, theme and language, and with an account their
 * settings and signing out.
 *
 * Values down: `agent` (`name`, `email`), null without an account; `availability` (`chosen`, `shown`, `idleMinutes`, `choose`, and
 * the event `change`), null on a page that has none. Events up: `go`, `sign-out`.
 */
class ProfileMenu extends HTMLElement {
  /** Who is signed in; null on pages without a sign-in. */
  #agent = null;
  availability = null;
  #forget = null;
  #end = null;
  #dot = presenceDot();
  #words = h("span", { class: "profile-state" });
  #name = h("span", null);
  #letters = h("span", null);

  connectedCallback() {
    if (!this.menu) this.#build();
    this.#forget = onLanguageChange(() => this.#draw());
    this.#end = new AbortController();
    this.availability?.addEventListener("change", () => this.#drawAvailability(), { signal: this.#end.signal });
    this.#draw();
  }

  get agent() {
    return this.#agent;
  }

  set agent(agent) {
    this.#agent = agent;
    if (this.menu) this.#draw();
  }

  get isOpen() {
    return Boolean(this.menu?.matches(":popover-open"));
  }

  /** Opens the panel at one of its choices. @param {string} chosen */
  open(chosen) {
    // Closed, it gives the focus back to what had it before.
    this.button.focus();
    this.menu.showPopover();
    /** @type {HTMLElement|null} */ (this.menu.querySelector(`[data-choice="${chosen}"]`))?.focus();
  }

  disconnectedCallback() {
    this.#forget?.();
    this.#end?.abort();
  }

  /** Makes the button and the panel, which stay while their words change: the panel stays open, and keeps the focus. */
  #build() {
    this.menu = h("div", { class: "profile-panel", popover: "auto", role: "dialog" });
    this.button = h("button", {
      type: "button", class: "profile-button", "aria-haspopup": "dialog", "aria-expanded": "false", onClick: () => this.menu.togglePopover(),
    }, this.agent ? h("span", { class: "profile-face", "aria-hidden": "true" }, this.#letters, this.#dot)
      : icon("sliders", 18), h("span", { class: "profile-words" }, this.#name, this.#words));
    this.menu.addEventListener("toggle", () => this.button.setAttribute("aria-expanded", String(this.menu.matches(":popover-open"))));
    this.menu.addEventListener("beforetoggle", (event) => event.newState === "open" && this.#place());
    replace(this, this.button, this.menu);
  }

  #draw() {
    const name = this.agent?.name || this.agent?.email || t("shared.display");
    this.menu.setAttribute("aria-label", name);
    this.button.setAttribute("aria-label", name);
    this.#name.textContent = name;
    if (this.agent) this.#letters.textContent = initials(name);
    replaceKeepingFocus(this.menu, () => [
      this.agent ? h("p", { class: "profile-name" }, h("strong", null, this.agent.name), h("span", null, this.agent.email)) : null,
      this.availability ? this.#availabilities() : null,
      choice(t("shared.theme"), themes.map((one) => [one, t(`shared.theme.${one}`)]), theme(), (one) => {
        setTheme(one);
        this.dispatchEvent(new CustomEvent("theme-change", { bubbles: true }));
      }),
      choice(t("shared.language"), Object.entries(languages), language(), setLanguage, true),
      this.agent ? [
        h("a", { class: "profile-link", href: "/console/settings/me", onClick: (event) => this.#go(event) }, t("shared.profile")),
        h("button", { type: "button", class: "profile-link", onClick: () => this.#signOut() }, t("shared.signOut")),
      ] : null]);
    this.#drawAvailability();
  }

  /** What can be chosen, as buttons one below the other. */
  #availabilities() {
    const { idleMinutes } = this.availability;
    return h("div", { class: "profile-choice is-list", role: "group", "aria-label": t("presence.title") },
      h("span", { class: "fd-label" }, t("presence.title")),
      availabilities.map((state) => h("button", {
        type: "button", class: "profile-state-choice", dataset: { choice: state }, onClick: () => this.#choose(state),
      }, presenceDot(state), h("span", null, t(`presence.${state}`), h("small", null, t(`presence.${state}Lead`, { count: idleMinutes }))), icon("check", 16))));
  }

  async #choose(state) {
    try {
      await this.availability.choose(state);
    } catch (problem) {
      showToast(refusalSentence(problem));
    }
  }

  /** The dot and the words at the face, and which choice is pressed. */
  #drawAvailability() {
    this.#dot.hidden = !this.availability;
    if (!this.availability) return;
    const { chosen, shown } = this.availability;
    const words = t(`presence.${shown}`);
    this.#dot.dataset.state = shown;
    this.#words.textContent = words;
    const name = t("presence.ofName", { name: this.agent.name || this.agent.email, state: words });
    this.button.setAttribute("aria-label", name);
    this.button.title = name;
    for (const one of this.menu.querySelectorAll(".profile-state-choice")) one.setAttribute("aria-pressed", String(one.dataset.choice === chosen));
  }

  /** Above or below the button, wherever there is more room, and never beyond the window. */
  #place() {
    const { left, right, top, bottom } = this.button.getBoundingClientRect();
    const isBelow = innerHeight - bottom > top;
    const isLeft = left < innerWidth / 2;
    const style = this.menu.style;
    style.setProperty("inset", [
      isBelow ? `${bottom + 6}px` : "auto", isLeft ? "auto" : `${Math.max(8, innerWidth - right)}px`,
      isBelow ? "auto" : `${innerHeight - top + 6}px`, isLeft ? `${Math.max(8, left)}px` : "auto",
    ].join(" "));
    style.setProperty("max-height", `${(isBelow ? innerHeight - bottom : top) - 14}px`);
  }

  #go(event) {
    if (event.metaKey || event.ctrlKey || !location.pathname.startsWith("/console")) return;
    event.preventDefault();
    this.menu.hidePopover();
    this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: event.currentTarget.getAttribute("href") }));
  }

  #signOut() {
    this.menu.hidePopover();
    this.dispatchEvent(new CustomEvent("sign-out", { bubbles: true }));
  }
}

/** A dot that shows an availability by colour and shape; the words stand beside it. @param {string} [state] */
function presenceDot(state = "offline") {
  return h("i", { class: "presence-dot", dataset: { state }, "aria-hidden": "true" });
}

/** A labelled choice. */
function choice(label, ...rest) {
  return h("div", { class: "profile-choice" }, h("span", { class: "fd-label" }, label), segments(label, ...rest));
}

customElements.define("profile-menu", ProfileMenu);

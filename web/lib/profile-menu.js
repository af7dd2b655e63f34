import { h, replace } from "./dom.js";
import { language, languages, onLanguageChange, setLanguage, t } from "./i18n.js";
import { icon } from "./icons.js";
import { segments } from "./segments.js";
import { setTheme, theme, themes } from "./theme.js";

/**
 * The menu of what concerns the person alone: theme and language, and with an account their settings and signing out.
 *
 * Values down: `agent` (`name`, `email`), null without an account. Events up: `go`, `sign-out`.
 */
class ProfileMenu extends HTMLElement {
  agent = null;
  #forget = null;

  connectedCallback() {
    this.#forget = onLanguageChange(() => this.#draw());
    this.#draw();
  }

  disconnectedCallback() {
    this.#forget?.();
  }

  #draw() {
    const isOpen = this.menu?.matches(":popover-open");
    const chosen = isOpen ? document.activeElement?.dataset.choice : null;
    const name = this.agent?.name || this.agent?.email || t("shared.display");
    this.menu = h("div", { class: "profile-panel", popover: "auto", role: "dialog", "aria-label": name },
      this.agent ? h("p", { class: "profile-name" }, h("strong", null, this.agent.name), h("span", null, this.agent.email)) : null,
      choice(t("shared.theme"), themes.map((one) => [one, t(`shared.theme.${one}`)]), theme(), (one) => {
        setTheme(one);
        this.dispatchEvent(new CustomEvent("theme-change", { bubbles: true }));
      }),
      choice(t("shared.language"), Object.entries(languages), language(), setLanguage, true),
      this.agent ? [
        h("a", { class: "profile-link", href: "/console/settings/me", onClick: (event) => this.#go(event) }, t("shared.profile")),
        h("button", { type: "button", class: "profile-link", onClick: () => this.#signOut() }, t("shared.signOut")),
      ] : null);
    this.button = h("button", {
      type: "button", class: "profile-button", "aria-haspopup": "dialog", "aria-label": name, "aria-expanded": String(Boolean(isOpen)),
      onClick: () => this.menu.togglePopover(),
    }, this.agent ? h("span", { class: "profile-face", "aria-hidden": "true" }, [...name].slice(0, 2).join("").toUpperCase())
      : icon("sliders", 18), h("span", { class: "profile-words" }, name));
    this.menu.addEventListener("toggle", () => this.button.setAttribute("aria-expanded", String(this.menu.matches(":popover-open"))));
    this.menu.addEventListener("beforetoggle", (event) => event.newState === "open" && this.#place());
    replace(this, this.button, this.menu);
    if (!isOpen) return;
    this.menu.showPopover();
    this.menu.querySelector(`[data-choice="${chosen}"]`)?.focus();
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

/** A labelled choice. */
function choice(label, ...rest) {
  return h("div", { class: "profile-choice" }, h("span", { class: "fd-label" }, label), segments(label, ...rest));
}

customElements.define("profile-menu", ProfileMenu);

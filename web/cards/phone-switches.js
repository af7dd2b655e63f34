import { canShow, kinds } from "../composer/kinds.js";
import { h, replace } from "../lib/dom.js";
import { language, languages, onLanguageChange, t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { segments } from "../lib/segments.js";

/** A device that shows none of the kinds; an empty list would be one of which nothing is known. */
const NOTHING = ["NONE"];

/**
 * Below the simulated phone: its language, its colours, and which kinds it can show. Values down: `frame` (a
 * `phone-frame`), `composer`.
 */
export class PhoneSwitches extends HTMLElement {
  frame = null;
  composer = null;
  #endLanguage = () => {};

  connectedCallback() {
    this.#draw();
    this.#endLanguage = onLanguageChange(() => this.#draw());
  }

  disconnectedCallback() {
    this.#endLanguage();
  }

  #draw() {
    const { look } = this.frame;
    const scheme = look.scheme ?? getComputedStyle(document.documentElement).colorScheme;
    const abilities = h("button", {
      type: "button", class: "fd-button is-plain phone-abilities", "aria-haspopup": "dialog", "aria-expanded": "false",
      onClick: () => this.#openAbilities(abilities),
    }, t("device.abilities"));
    replace(this,
      segments(t("device.language"), Object.entries(languages), look.locale ?? language(), (locale) => this.#look({ locale }), true),
      segments(t("device.scheme"), ["light", "dark"].map((one) => [one, t(`shared.theme.${one}`)]), scheme === "dark" ? "dark" : "light",
        (chosen) => this.#look({ scheme: chosen })),
      abilities);
  }

  #look(change) {
    this.frame.look = { ...this.frame.look, ...change };
  }

  /** What the device can show, as far as it matters to what may be sent to it. */
  #openAbilities(button) {
    const { composer } = this;
    const gated = kinds.filter(({ needs }) => needs);
    const boxes = gated.map((entry) => {
      const box = h("input", { type: "checkbox", class: "cp-check", checked: canShow(entry, composer.capabilities), onChange: () => apply() });
      return { entry, box };
    });
    const apply = () => {
      const shown = boxes.filter(({ box }) => box.checked).flatMap(({ entry }) => entry.needs);
      composer.capabilities = shown.length ? shown : NOTHING;
    };
    openPopup(button, h("div", { class: "stack phone-abilities-list" },
      h("p", { class: "fd-help" }, t("device.abilitiesHint")),
      boxes.map(({ entry, box }) => h("label", { class: "cp-checkline" }, box, t(`composer.kind.${entry.kind}`)))),
    { label: t("device.abilities"), side: "above" });
    boxes[0]?.box.focus();
  }
}

customElements.define("phone-switches", PhoneSwitches);

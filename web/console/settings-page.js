import { h, replace } from "../lib/dom.js";
import { segments } from "../lib/segments.js";
import { setTheme, theme, themes } from "../lib/theme.js";
import { card } from "./panel-parts.js";
import { language, languages, setLanguage, t } from "../lib/i18n.js";
import { settingsSections, writeRoute } from "./routes.js";
import "./businesses-panel.js";
import "./gateway-panel.js";
import "./keys-panel.js";
import "./members-panel.js";

/** One page of settings with its parts beside it. */
class SettingsPage extends HTMLElement {
  session = null;
  section = "businesses";

  connectedCallback() {
    const panels = {
      businesses: () => h("businesses-panel", { ".session": this.session }),
      members: () => h("members-panel", { ".session": this.session }),
      keys: () => h("keys-panel", { ".session": this.session }),
      gateway: () => h("gateway-panel", { ".session": this.session }),
      me: () => this.#me(),
    };
    replace(this, h("div", { class: "settings" },
      h("nav", { class: "settings-nav", "aria-label": t("console.settings") },
        settingsSections.map((name) => h("a", {
          href: writeRoute({ name: "settings", section: name }),
          "aria-current": name === this.section ? "page" : null,
          onClick: (event) => {
            event.preventDefault();
            this.dispatchEvent(new CustomEvent("go", {
              bubbles: true, detail: writeRoute({ name: "settings", section: name }),
            }));
          },
        }, t(`console.section.${name}`)))),
      h("main", { class: "settings-main" }, panels[this.section]())));
  }

  #me() {
    const { agent } = this.session;
    return h("section", { class: "panel" },
      h("h1", null, t("console.section.me")),
      card("", h("dl", { class: "facts" },
        h("dt", null, t("console.name")), h("dd", null, agent.name),
        h("dt", null, t("console.email")), h("dd", null, agent.email),
        h("dt", null, t("console.role")), h("dd", null, t(`console.role.${agent.role}`)))),
      card(t("shared.display"),
        h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("shared.theme")),
          segments(t("shared.theme"), themes.map((one) => [one, t(`shared.theme.${one}`)]), theme(), (one) => {
            setTheme(one);
            this.dispatchEvent(new CustomEvent("theme-change", { bubbles: true }));
          })),
        h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("shared.language")),
          segments(t("shared.language"), Object.entries(languages), language(), setLanguage, true))));
  }
}

customElements.define("settings-page", SettingsPage);

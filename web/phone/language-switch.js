import { h } from "../lib/dom.js";
import { language, languages, setLanguage, t } from "../lib/i18n.js";

/** A row of languages, each by its own name. */
export function languageSwitch() {
  return h("div", { class: "languages", role: "group", "aria-label": t("shared.language") },
    Object.entries(languages).map(([code, name]) => h("button", {
      type: "button", lang: code, "aria-pressed": String(code === language()),
      onClick: () => setLanguage(code),
    }, name)));
}

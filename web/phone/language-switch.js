import { h } from "../lib/dom.js";
import { language, languages, setLanguage, t } from "../lib/i18n.js";

/** A row of languages, each by its own name. @param {(text: string) => void} [notify] what says that one could not be loaded */
export function languageSwitch(notify) {
  return h("div", { class: "languages", role: "group", "aria-label": t("shared.language") },
    Object.entries(languages).map(([code, name]) => h("button", {
      type: "button", lang: code, "aria-pressed": String(code === language()),
      onClick: async () => await setLanguage(code) || notify?.(t("phone.failedAction")),
    }, name)));
}

import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { shortcuts } from "./shortcuts.js";

/** The sheet of keys. */
class ShortcutSheet extends HTMLElement {
  show() {
    const dialog = h("dialog", { class: "dialog", "aria-label": t("console.keys") },
      h("h2", null, t("console.keys")),
      h("dl", { class: "keys" },
        shortcuts.map((one) => [h("dt", null, h("kbd", null, one.key)), h("dd", null, t(one.text))]),
        h("dt", null, h("kbd", null, "Ctrl"), " ", h("kbd", null, "K")),
        h("dd", null, t("console.key.palette")),
        h("dt", null, h("kbd", null, "Esc")), h("dd", null, t("console.key.leave"))),
      h("form", { method: "dialog" },
        h("button", { class: "fd-button" }, t("shared.close"))));
    replace(this, dialog);
    dialog.showModal();
  }
}

customElements.define("shortcut-sheet", ShortcutSheet);

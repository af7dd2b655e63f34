import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { actionGroups, actionWords, keyOf, offeredActions } from "./shortcuts.js";
import { keyStyles } from "./key-styles.js";

adopt(keyStyles);

/** The sheet of keys, of what the signed-in person may do. Values down: `workspace`. */
class ShortcutSheet extends HTMLElement {
  workspace = null;

  show() {
    const keyed = offeredActions(this.workspace.state.session).filter((one) => keyOf(one.id));
    const dialog = h("dialog", { class: "dialog key-sheet", "aria-label": t("console.keys") },
      h("h2", null, t("console.keys")),
      h("div", { class: "key-groups", tabindex: "0", role: "group", "aria-label": t("console.keys") }, h("div", { class: "key-columns" }, actionGroups.map((group) => {
        const rows = keyed.filter((one) => one.group === group);
        return rows.length ? [h("h3", { class: "key-group" }, t(`console.keys.${group}`)), h("dl", { class: "keys" }, rows.map((one) => [
          h("dt", null, keyOf(one.id).split(" ").map((key) => h("kbd", null, key))), h("dd", null, actionWords(one))]))] : null;
      }),
      h("h3", { class: "key-group" }, t("console.keys.always")),
      h("dl", { class: "keys" },
        h("dt", null, h("kbd", null, "Ctrl"), " ", h("kbd", null, "K")), h("dd", null, t("console.key.palette")),
        h("dt", null, h("kbd", null, "Ctrl"), " ", h("kbd", null, "Enter")), h("dd", null, t("console.key.send")),
        h("dt", null, h("kbd", null, "Esc")), h("dd", null, t("console.key.leave"))))),
      h("form", { method: "dialog" },
        h("a", { class: "fd-button is-plain", href: "/console/settings/me", onClick: (event) => {
          event.preventDefault();
          dialog.close();
          this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: "/console/settings/me" }));
        } }, t("console.keys.edit")),
        h("button", { class: "fd-button" }, t("shared.close"))));
    replace(this, dialog);
    dialog.showModal();
  }
}

customElements.define("shortcut-sheet", ShortcutSheet);

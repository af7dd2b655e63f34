import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sandboxOf, shopOf } from "./first-businesses.js";
import { preferences } from "./preferences.js";
import { keyOf } from "./shortcuts.js";

/**
 * What stands beside the list while no conversation is open: how to open one, and the first steps until they are done.
 * @param {import("./desk-state.js").DeskState} state
 */
export function emptyView(state) {
  const steps = h("div", { class: "empty-steps" });
  if ((sandboxOf(state.session) || shopOf(state.session)) && preferences().firstSteps) {
    // Without a connection the steps stay away, and are there with the next view.
    import("./start-steps.js").then(() => steps.append(h("start-steps", { ".state": state })), () => {});
  }
  return h("section", { class: "view is-empty", "aria-busy": "false" }, steps,
    h("div", { class: "empty-view" },
      h("h2", null, t("console.pickOne")),
      preferences().keys.isOff ? null : h("p", null, t("console.pickOneLead",
        { next: keyOf("next"), previous: keyOf("previous"), sheet: keyOf("sheet") }))));
}

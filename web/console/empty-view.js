import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { reconcile } from "../lib/reconcile.js";
import { sandboxOf, shopOf } from "./first-businesses.js";
import { may } from "./permissions.js";
import { preferences } from "./preferences.js";
import { keyOf } from "./shortcuts.js";
import { isUnused } from "./unused-inbox.js";

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
  return h("section", { class: "view is-empty", "aria-busy": "false" }, steps, emptyWords(state));
}

/** Says what is so by now, in a part that `emptyView` made. @param {Element} part @param {import("./desk-state.js").DeskState} state */
export function drawEmpty(part, state) {
  const words = part.querySelector(".empty-view");
  if (words) reconcile(words, emptyWords(state));
}

/** How to open a conversation; where the list has none, what will be in it. */
function emptyWords(state) {
  const say = (title, lead = null) => h("div", { class: "empty-view" }, h("h2", null, t(title)), lead ? h("p", null, lead) : null);
  if (isUnused(state)) {
    const { session, filter } = state;
    const mayAnswer = session.businesses.some((one) => (!filter.business || one.id === filter.business) && may(one, "messages.send"));
    return say("console.noneYet", t(mayAnswer ? "console.noneYetLead" : "console.noneYetRead"));
  }
  if (!state.rows.length && !state.isLoading && !state.problem) return say("console.emptyList");
  return say("console.pickOne", preferences().keys.isOff ? null
    : t("console.pickOneLead", { next: keyOf("next"), previous: keyOf("previous"), sheet: keyOf("sheet") }));
}

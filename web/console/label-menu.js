import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { freshColour } from "./label-colours.js";
import { may } from "./permissions.js";
import { openPickMenu } from "./pick-menu.js";
import { writeRoute } from "./routes.js";

/**
 * Opens the menu of a business's labels. What is pressed is added or removed at once.
 * @param {HTMLElement} anchor
 * @param {{state: import("./desk-state.js").DeskState, business: string, conversations: () => any[],
 *   change: (labels: {add?: string[], remove?: string[]}) => void}} options `conversations`: those whose labels are
 *   shown; a label that some of them have is shown as mixed
 */
export function openLabelMenu(anchor, { state, business, conversations, change }) {
  const mayMake = may(state.session.businesses.find((one) => one.id === business), "labels.manage");
  const marked = (id) => {
    const all = conversations();
    const count = all.filter((one) => one.labels?.includes(id)).length;
    return count === 0 ? "false" : count === all.length ? "true" : "mixed";
  };
  openPickMenu(anchor, {
    label: t("console.labels.find"), isMany: true, changes: state,
    items: () => state.lists.labels(business)
      .map((one) => ({ one, checked: marked(one.id) })).filter(({ one, checked }) => !one.retired || checked !== "false")
      .map(({ one, checked }) => ({ id: one.id, text: one.name, checked, mark: h("i", { class: "label-dot", style: { "--label": one.colour } }) })),
    choose: (id) => change(marked(id) === "true" ? { remove: [id] } : { add: [id] }),
    make: mayMake ? (name) => makeLabel(state, business, name, change) : undefined,
    none: t(mayMake ? "console.labels.noneOwner" : "console.labels.none"),
    foot: mayMake ? settingsLink(anchor) : null,
  });
}

async function makeLabel(state, business, name, change) {
  try {
    const known = state.lists.labels(business);
    const made = await api.post(`/api/businesses/${business}/labels`, { name, colour: freshColour(known) });
    state.lists.put("labels", made);
    change({ add: [made.id] });
  } catch (problem) {
    showToast(refusalSentence(problem));
  }
}

function settingsLink(anchor) {
  const path = writeRoute({ name: "settings", section: "labels" });
  return h("a", { class: "pick-foot", href: path, onClick: (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    anchor.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: path }));
  } }, t("console.labels.manage"));
}

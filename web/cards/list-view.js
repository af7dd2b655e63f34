import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

/**
 * The rows of a list picker. With `choose` they are radio buttons or check boxes, without it they
 * only show which were chosen.
 * @param {ReturnType<import("./kinds/list.js").readList>} model
 * @param {{chosen?: Set<string>, name?: string,
 *   choose?: ((identifier: string, isOn: boolean, section: any) => void)|null}} [options]
 */
export function listView(model, { chosen = new Set(), choose = null, name = "list" } = {}) {
  if (model.count === 0) return h("p", { class: "fd-quiet" }, t("card.noItems"));
  return h("div", { class: "fd-sections" }, model.sections.map((section, index) =>
    h(choose ? "fieldset" : "section", { class: "fd-section" },
      // Devices show a section without a title as its rows alone.
      (section.title || choose) && h(choose ? "legend" : "h4", { class: "fd-section-title" },
        h("span", null, section.title),
        choose && h("small", null, howMany(section, model.sections.length > 1))),
      h("ul", { class: "fd-rows" }, (choose
        ? inputRows(section, `${name}-${index}`, chosen, choose)
        : section.items.map((item) => stillRow(item, chosen.has(item.identifier)))
      ).map((row) => h("li", null, row))))));
}

/** Of several sections each may be left; of one something is chosen. */
function howMany({ isMultiple }, mayBeLeft) {
  if (mayBeLeft) return t(isMultiple ? "card.chooseAny" : "card.chooseAtMostOne");
  return t(isMultiple ? "card.chooseMany" : "card.chooseOne");
}

/** Inputs of one section; a row of a single choice is unselected by choosing it again. */
function inputRows(section, group, chosen, choose) {
  let current = section.items.find((item) => chosen.has(item.identifier))?.identifier ?? null;
  return section.items.map((item) => {
    const input = h("input", {
      type: section.isMultiple ? "checkbox" : "radio", name: group, value: item.identifier,
      ".checked": chosen.has(item.identifier),
      onClick: () => {
        if (section.isMultiple || current !== item.identifier) return;
        current = null;
        input.checked = false;
        choose(item.identifier, false, section);
      },
      onChange: () => {
        current = item.identifier;
        choose(item.identifier, input.checked, section);
      },
    });
    return h("label", { class: `fd-row style-${item.style || "default"}` },
      face(item), input, h("span", { class: "fd-tick" }, icon("check", 15)));
  });
}

function stillRow(item, isChosen) {
  return h("div", {
    class: `fd-row style-${item.style || "default"}${isChosen ? " is-chosen" : ""}`,
  },
    face(item),
    isChosen && h("span", { class: "fd-tick is-on" }, icon("check", 15),
      h("span", { class: "fd-hidden-text" }, t("card.selected"))));
}

function face(item) {
  return [
    item.picture?.source && h("img", {
      class: "fd-row-picture", src: item.picture.source, alt: item.picture.description, width: 44,
      height: 44, loading: "lazy", decoding: "async",
    }),
    h("span", { class: "fd-row-words" },
      h("strong", null, item.title || t("card.untitled")),
      item.subtitle && h("small", null, item.subtitle)),
  ];
}

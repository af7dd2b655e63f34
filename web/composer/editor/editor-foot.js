/** The bar under the text: the number of findings, buttons to reach them, all fixes, the keys. */
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { freshElementID, iconButton } from "../fields.js";
import { icon } from "../icons.js";

const keys = [
  ["Ctrl Space", "suggest"], ["F8", "next"], ["Shift F8", "previous"], ["Ctrl .", "fix"], ["F1", "help"],
  ["Ctrl Enter", "send"], ["Esc", "close"], ["Esc Tab", "leave"],
];

/**
 * @param {{next: (step: 1|-1) => void, fixAll: () => void, suggest: () => void}} actions
 */
export function makeFoot(actions) {
  const id = freshElementID("keys");
  const count = h("p", { class: "je-count" });
  const previous = iconButton("up", t("composer.editor.previous"), () => actions.next(-1));
  const next = iconButton("down", t("composer.editor.next"), () => actions.next(1));
  const fixAll = h("button", { type: "button", class: "cp-button je-fixall", onclick: actions.fixAll, hidden: true });
  const suggest = h("button", { type: "button", class: "cp-button cp-quiet je-suggest", "aria-label": t("composer.editor.suggest"), onclick: actions.suggest },
    icon("spark"), h("span", null, t("composer.editor.suggest")));
  const sheet = h("dl", { class: "je-keys", id, hidden: true, tabindex: "0" }, keys.flatMap(([key, name]) => [
    h("dt", null, key.split(" ").map((part) => h("kbd", null, part))), h("dd", null, t(`composer.editor.key.${name}`)),
  ]));
  const help = h("button", {
    type: "button", class: "cp-button cp-quiet je-help", "aria-expanded": "false", "aria-controls": id,
    onclick: () => {
      sheet.hidden = !sheet.hidden;
      help.setAttribute("aria-expanded", String(!sheet.hidden));
    },
  }, t("composer.editor.keys"));
  const bar = h("div", { class: "je-foot" }, count, previous, next, fixAll, h("span", { class: "cp-grow" }), suggest, help);
  return { parts: [bar, sheet], show: (marks, fixable) => showCount({ count, previous, next, fixAll }, marks, fixable) };
}

function showCount({ count, previous, next, fixAll }, marks, fixable) {
  const errors = marks.filter(({ finding }) => finding.severity === "error").length;
  const warnings = marks.length - errors;
  count.replaceChildren(
    ...(errors ? [h("span", { class: "je-errors" }, icon("error"), t("composer.editor.errors", { count: errors }))] : []),
    ...(warnings ? [h("span", { class: "je-warnings" }, icon("warning"), t("composer.editor.warnings", { count: warnings }))] : []));
  previous.hidden = next.hidden = marks.length === 0;
  fixAll.hidden = fixable === 0;
  fixAll.replaceChildren(t("composer.editor.fixAll", { count: fixable }));
}

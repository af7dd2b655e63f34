import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { roleName, roleWords } from "./permissions.js";

await registerStrings({ en: () => import("../i18n/en/roles.js"), ja: () => import("../i18n/ja/roles.js") });

/**
 * A choice among roles.
 * @param {string[]} roles those that may be given
 * @param {string} chosen
 * @param {Record<string, any>} [rest] attributes and listeners of the field
 */
export function roleChoice(roles, chosen, rest = {}) {
  const select = /** @type {HTMLSelectElement} */ (h("select", { class: "fd-input", ...rest }, roles.map((one) => h("option", { value: one }, roleName(one)))));
  select.value = chosen;
  return select;
}

/** What each of some roles may do, a line each. @param {string[]} roles @param {string} id of the list */
export function roleList(roles, id) {
  const described = roles.filter(roleWords);
  return described.length ? h("ul", { class: "fd-help role-list", id }, described.map((one) =>
    h("li", null, h("strong", null, roleName(one)), " ", h("span", null, roleWords(one))))) : null;
}

/** The question before a member gets another role. @param {string} name @param {string} role */
export function roleQuestion(name, role) {
  return t("roles.question", { name, role: roleName(role), may: roleWords(role) });
}

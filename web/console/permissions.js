import { t } from "../lib/i18n.js";

/**
 * Whether the signed-in person may do something in a business: what the server says, not the role's name.
 * @param {{permissions?: string[]|null}|null|undefined} business
 * @param {string} permission such as `messages.send`
 */
export function may(business, permission) {
  return business?.permissions?.includes(permission) ?? false;
}

/** A role's name for people; a role without a text of its own is called as the server calls it. @param {string} role */
export function roleName(role) {
  const key = `console.role.${role}`;
  const text = t(key);
  return text === key ? role : text;
}

/**
 * The roles that the signed-in person may give in a business: owners are made by owners alone.
 * @param {string[]} roles @param {{role: string|null}} business
 */
export function rolesToGive(roles, business) {
  return roles.filter((role) => role !== "owner" || business.role === "owner");
}

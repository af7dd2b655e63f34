import { t } from "../lib/i18n.js";

/**
 * Whether the signed-in person may do something in a business: what the server says, not the role's name.
 * @param {{permissions?: string[]|null}|null|undefined} business
 * @param {string} permission such as `messages.send`
 */
export function may(business, permission) {
  return business?.permissions?.includes(permission) ?? false;
}

/**
 * Whether the signed-in person may do something in one of the businesses at least.
 * @param {{businesses: {permissions?: string[]|null}[]}} session @param {string} permission
 */
export function mayAnywhere(session, permission) {
  return session.businesses.some((one) => may(one, permission));
}

/** What a person may do, by business, as texts that change with it. @param {{businesses: any[]}} session @returns {Map<string, string>} */
export function rightsIn({ businesses }) {
  return new Map(businesses.map(({ id, role, permissions }) => [id, JSON.stringify([role, permissions])]));
}

/** What permits writing in a conversation: to its customer, or notes for colleagues. */
export const WRITING = Object.freeze(["messages.send", "conversations.handle"]);

/** Whether an action may be done in a business, or with none in one at least: without a permission of its own it may. @param {{permission?: string|string[]}} action @param {any} session @param {any} [business] */
export function isOffered({ permission = [] }, session, business = null) {
  const wanted = [permission].flat();
  return !wanted.length || wanted.some((one) => (business ? may(business, one) : mayAnywhere(session, one)));
}

/** A role's name for people; a role without a text of its own is called as the server calls it. @param {string} role */
export function roleName(role) {
  const key = `console.role.${role}`;
  const text = t(key);
  return text === key ? role : text;
}

/** What a role may do, in a sentence; of a role without a text of its own nothing. @param {string} role */
export function roleWords(role) {
  const key = `roles.may.${role}`;
  const text = t(key);
  return text === key ? "" : text;
}

/**
 * The roles that the signed-in person may give in a business: owners are made by owners alone.
 * @param {string[]} roles @param {{role: string|null}} business
 */
export function rolesToGive(roles, business) {
  return roles.filter((role) => role !== "owner" || business.role === "owner");
}

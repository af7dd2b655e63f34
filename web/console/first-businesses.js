import { may } from "./permissions.js";

/**
 * The sandbox's business, where the signed-in person may try things in it.
 * @param {{businesses: any[]}} session
 */
export function sandboxOf({ businesses }) {
  return businesses.find((one) => one.isSandbox && may(one, "messages.send") && may(one, "sandbox.use"));
}

/**
 * A business that the signed-in person may open for customers: the one of this id, or the first.
 * @param {{businesses: any[]}} session
 * @param {string|null} [id]
 */
export function shopOf({ businesses }, id = null) {
  return businesses.find((one) => !one.isSandbox && (!id || one.id === id) && may(one, "business.manage") && may(one, "members.manage"));
}

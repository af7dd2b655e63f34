import { isOffered } from "./permissions.js";

/**
 * @typedef {{name: "inbox", conversation: string|null} | {name: "templates", template?: string, isNew?: boolean} | {name: "reports"}
 *   | {name: "settings", section: string, isList?: boolean}} Route `isList`: the address names no part; there is a list of them where there is one column
 */

/** The parts of the settings page, in the order they are shown. */
export const settingsSections = Object.freeze(["businesses", "members", "teams", "assignment", "labels", "attributes", "hours", "levels", "satisfaction", "rules", "macros", "library", "keys", "bots", "webhooks", "widget", "gateway", "retention", "approvals", "audit", "me"]);

/** Stands for a template that is begun: no name of one begins so. */
const NEW = "+";

/** What of the settings can only be read with a permission; all else every member reads. */
const SECTION_PERMISSIONS = {
  rules: "rules.manage", keys: "keys.manage", webhooks: "webhooks.manage", widget: "business.manage",
  retention: "holds.read", approvals: "approvals.read", audit: "audit.read",
};

/** The parts of the settings page that the signed-in person can use or read. @param {any} session */
export function sectionsFor(session) {
  return settingsSections.filter((name) => isOffered({ permission: SECTION_PERMISSIONS[name] }, session));
}

/**
 * Reads an address of the console; an unknown one is the inbox.
 * @param {string} path
 * @returns {Route}
 */
export function readRoute(path) {
  const [, first, second, third] = path.split("/");
  if (first === "console" && second === "c" && third) {
    return { name: "inbox", conversation: decodeURIComponent(third) };
  }
  if (second === "templates") return { name: "templates", ...third === NEW ? { isNew: true } : third ? { template: decodeURIComponent(third) } : {} };
  if (second === "reports") return { name: "reports" };
  if (second === "settings") {
    return third ? { name: "settings", section: settingsSections.includes(third) ? third : "businesses" }
      : { name: "settings", section: "businesses", isList: true };
  }
  return { name: "inbox", conversation: null };
}

/** @param {Route|{name: "inbox"}} route */
export function writeRoute(route) {
  switch (route.name) {
    case "templates":
      return ["/console/templates", route.isNew ? NEW : route.template].filter(Boolean).join("/");
    case "reports":
      return "/console/reports";
    case "settings":
      return route.isList ? "/console/settings" : `/console/settings/${route.section}`;
    default:
      return route.conversation ? `/console/c/${encodeURIComponent(route.conversation)}` : "/console";
  }
}

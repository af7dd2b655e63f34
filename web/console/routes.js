/**
 * @typedef {{name: "inbox", conversation: string|null} | {name: "templates"} | {name: "reports"}
 *   | {name: "settings", section: string}} Route
 */

/** The parts of the settings page, in the order they are shown. */
export const settingsSections = Object.freeze(["businesses", "members", "teams", "assignment", "labels", "attributes", "hours", "levels", "satisfaction", "rules", "macros", "library", "keys", "bots", "webhooks", "widget", "gateway", "audit", "me"]);

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
  if (second === "templates") return { name: "templates" };
  if (second === "reports") return { name: "reports" };
  if (second === "settings") {
    return { name: "settings", section: settingsSections.includes(third) ? third : "businesses" };
  }
  return { name: "inbox", conversation: null };
}

/** @param {Route|{name: "inbox"}} route */
export function writeRoute(route) {
  switch (route.name) {
    case "templates":
      return "/console/templates";
    case "reports":
      return "/console/reports";
    case "settings":
      return `/console/settings/${route.section}`;
    default:
      return route.conversation ? `/console/c/${encodeURIComponent(route.conversation)}` : "/console";
  }
}

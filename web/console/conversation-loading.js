import { ApiProblem } from "../lib/api.js";
import { t } from "../lib/i18n.js";

/** The load that has begun. @type {Promise<void>|null} */
let load = null;
let isLoaded = false;

/** Whether the elements of an open conversation are there. */
export function hasConversationParts() {
  return isLoaded;
}

/**
 * Loads the elements of an open conversation, once: for the first one that is opened, and before at the first sign of a user.
 * @throws {ApiProblem} where the server does not answer; the next use asks again
 */
export function loadConversation() {
  load ??= import("./conversation-parts.js").then(() => { isLoaded = true; }, () => {
    load = null;
    throw new ApiProblem(0, { title: t("shared.notLoaded") });
  });
  return load;
}

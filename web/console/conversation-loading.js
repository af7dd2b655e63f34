import { ApiProblem } from "../lib/api.js";
import { t } from "../lib/i18n.js";

/** A page that is open for so long, in milliseconds, may be of a version before the server's. */
const OLD_MILLISECONDS = 10_000;

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
  load ??= import("./conversation-parts.js").then(() => { isLoaded = true; }, async () => {
    load = null;
    // Elements of another version may need modules that this page has not. Nothing is written in it yet.
    if (await isOld()) location.reload();
    throw new ApiProblem(0, { title: t("shared.notLoaded") });
  });
  return load;
}

/** Whether the server has become another version since the page was opened. */
async function isOld() {
  const own = /** @type {HTMLScriptElement|null} */ (document.querySelector("script[src$='/console/main.js']"));
  if (!own || performance.now() < OLD_MILLISECONDS) return false;
  try {
    const answer = await fetch("/console", { headers: { Accept: "text/html" }, cache: "no-store" });
    return answer.ok && !(await answer.text()).includes(own.getAttribute("src"));
  } catch {
    return false;  // Safe: without a connection it is asked again.
  }
}

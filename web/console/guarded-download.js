import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";

/**
 * Saves an export as a file. Where exports need a second person, a refusal is shown here and not by the browser, which would say that the
 * download failed.
 * @param {string} business @param {string} href
 */
export async function download(business, href) {
  try {
    const { areas } = await api.get(`/api/businesses/${encodeURIComponent(business)}/approval-rules`);
    // The browser's own request is the same one again: an approval lasts for it.
    if (areas.includes("exports")) await begin(href);
    h("a", { href, download: "" }).click();
  } catch (problem) {
    if (problem.code !== "approval_needed") showToast(refusalSentence(problem));
  }
}

/** Asks for a file and reads no more of it than whether it comes. @param {string} href */
async function begin(href) {
  const end = new AbortController();
  const response = await fetch(href, { credentials: "same-origin", signal: end.signal });
  if (response.ok) return end.abort();
  // The refusal is read as every other one is.
  return api.get(href);
}

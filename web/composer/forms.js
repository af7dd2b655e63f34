/** The forms of the kinds: that of Text with the page, each other one when it is first opened. */
import "./text-form.js";
import { kinds } from "./kinds.js";

/** @type {Record<string, () => Promise<any>>} */
const modules = {
  quickReply: () => import("./quick-reply-form.js"),
  list: () => import("./list-form.js"),
  time: () => import("./time-form.js"),
  payment: () => import("./payment-form.js"),
  form: () => import("./question-form.js"),
  authentication: () => import("./authentication-form.js"),
  richLink: () => import("./link-form.js"),
  app: () => import("./app-form.js"),
  myApp: () => import("./myapp-form.js"),
  raw: () => import("./raw-form.js"),
};

/** Whether a kind's form can be made at once. @param {string} kind */
export function isFormLoaded(kind) {
  return Boolean(customElements.get(kinds.find((entry) => entry.kind === kind).tag));
}

/** Loads a kind's form; rejects where the server does not answer. @param {string} kind */
export async function loadForm(kind) {
  if (!isFormLoaded(kind)) await modules[kind]();
}

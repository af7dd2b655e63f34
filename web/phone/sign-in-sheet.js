import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openSheet } from "./bottom-sheet.js";
import "./sign-in-page.js";

const LOOK = "/web/phone/sign-in.css";

/**
 * The sandbox's provider within the frame of a widget: the customer's session there is a cookie of the frame alone, so a
 * window of its own would not know who the customer is.
 * @param {any} message the request to sign in
 * @param {import("./conversation.js").Conversation} conversation
 */
export function openSignInSheet(message, conversation) {
  if (!document.querySelector(`link[href="${LOOK}"]`)) document.head.append(h("link", { rel: "stylesheet", href: LOOK }));
  const sheet = openSheet({
    title: t("phone.signIn.title"),
    content: h("sign-in-page", { ".within": {
      ask: () => conversation.askSignIn(message.id),
      answer: (id, signIn) => conversation.signIn(id, message.id, signIn),
      close: () => sheet.close(),
    } }),
  });
}

/** A request to sign in; written as JSON, from an example. */
import { interactive } from "../payloads.js";

/** The page of this server that replaces the business's own in an example; the customer's browser ends there. */
const landing = ({ business }) => {
  const origin = globalThis.location?.origin ?? "https://shop.example";
  return `${origin}/b/${encodeURIComponent(business)}/signed-in`;
};

const example = (context) => interactive(context, {
  version: "2.0",
  authenticate: {
    oauth2: {
      responseType: "code", scope: ["email"], state: context.requestID,
      redirectURI: landing(context),
    },
  },
}, null, {
  receivedMessage: { title: "Sign in to see your order", style: "icon" },
  replyMessage: { title: "Signed in", style: "icon" },
});

export default { kind: "authentication", example };

/** A request to sign in with the business's own provider. */
import { cardsOf, featureOf, wordsOf } from "../payload-reading.js";
import { PictureSet, cardText, interactive, stated } from "../payloads.js";

export default {
  kind: "authentication", tag: "authentication-form", needs: ["AUTH2", "AUTH"], isRare: true,
  drawing: "M12.5 3a4.5 4.5 0 1 1-3.8 6.9L3 15.6V17h2.5v-2h2v-2l2-2M13.5 6.5h.1",
  words: {
    en: { title: "Please sign in", reply: "Signed in" },
    ja: { title: "サインインしてください", reply: "サインイン済み" },
  },
  speaksOf: featureOf("authenticate"), make: authenticationPayload, read, fallback,
  /** A state that is the request's own name means nothing else than that each message has a fresh one. */
  level(data) {
    const { oauth2 } = data.authenticate ?? {};
    if (oauth2 && oauth2.state === data.requestIdentifier) delete oauth2.state;
  },
};

/**
 * The page of this server that stands for the business's own while signing in is tried: it shows what came.
 * @param {import("../payloads.js").Envelope} context
 */
export function tryingPage({ business }) {
  const origin = globalThis.location?.origin ?? "https://shop.example";
  return `${origin}/b/${encodeURIComponent(business)}/signed-in`;
}

/** A request to sign in; without a state of its own each message gets a fresh one. */
export function authenticationPayload(draft, context) {
  const pictures = new PictureSet();
  const receivedMessage = cardText(draft.received, pictures);
  const isEncrypted = draft.way === "key";
  const oauth2 = {
    responseType: isEncrypted ? draft.responseType : "code", scope: scopesOf(draft.scopes), state: draft.state || context.requestID,
    ...(isEncrypted ? stated({ responseEncryptionKey: draft.key, clientSecret: draft.secret }) : { redirectURI: draft.redirectURI }),
  };
  const replyMessage = cardText(draft.reply, pictures);
  return interactive(context, { version: isEncrypted ? "1.0" : "2.0", authenticate: { oauth2 } }, pictures, { receivedMessage, replyMessage });
}

/** Names separated by commas, or each on a line of its own. @param {string} text */
const scopesOf = (text) => text.split(/[,、\n]/).map((one) => one.trim()).filter(Boolean);

function read(payload) {
  const { receivedMessage, replyMessage, data } = payload.interactiveData;
  const { card } = cardsOf(payload);
  const { responseType, scope, state, redirectURI, responseEncryptionKey, clientSecret } = data.authenticate.oauth2;
  return {
    received: card(receivedMessage), reply: card(replyMessage), way: redirectURI === undefined ? "key" : "page", responseType,
    scopes: scope.join(", "), state: state === data.requestIdentifier ? "" : state, redirectURI: wordsOf(redirectURI),
    key: wordsOf(responseEncryptionKey), secret: wordsOf(clientSecret),
  };
}

// The text for a device that cannot show the card.
function fallback({ receivedMessage }) {
  return [receivedMessage?.title, receivedMessage?.subtitle];
}

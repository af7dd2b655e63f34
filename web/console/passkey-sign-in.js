import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";
import { askPasskey, browserSentence, hindrance } from "./passkeys.js";

/** How long an offer at the field stands before its challenge is replaced, which the server accepts for five minutes. */
const OFFER_MS = 240_000;

/**
 * The sign-in with a passkey: a button, and an offer at the field of the address. Null where none can be used.
 * @param {{host: string|null, enter: (session: any) => void, say: (words: string) => void, signal: AbortSignal}} options `signal`: ends the
 *   offer with the page
 */
export function passkeyWay({ host, enter, say, signal }) {
  if (hindrance(host)) return null;
  let offer = new AbortController();
  signal.addEventListener("abort", () => offer.abort());
  const button = h("button", { type: "button", class: "fd-button is-wide account-passkey" }, t("passkeys.signIn"));
  button.addEventListener("click", () => whileBusy(button, async () => {
    say("");
    // Browsers ask one question at a time.
    offer.abort();
    offer = new AbortController();
    try {
      enter(await signIn({ signal: offer.signal }));
    } catch (problem) {
      if (!signal.aborted) say(signInSentence(problem));
    }
  }));
  offerAtField(() => offer.signal, enter, say);
  return button;
}

/**
 * Asks for a passkey, and begins a session with it; the one that the browser had ends.
 * @param {{signal: AbortSignal, mediation?: CredentialMediationRequirement}} how
 */
export async function signIn(how) {
  const options = await api.post("/api/session/passkey/options", {});
  return api.post("/api/session/passkey", await askPasskey(options, how));
}

/**
 * Has the browser list passkeys among the addresses that it knows, where it can, until the page asks otherwise.
 * @param {() => AbortSignal} current the signal that ends the offer
 * @param {(session: any) => void} enter @param {(words: string) => void} say
 */
async function offerAtField(current, enter, say) {
  const isAble = await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false);  // Safe: there is the button.
  const outer = current();
  while (isAble && !outer.aborted) {
    const renewal = AbortSignal.timeout(OFFER_MS);
    try {
      enter(await signIn({ signal: AbortSignal.any([outer, renewal]), mediation: "conditional" }));
      return;
    } catch (problem) {
      if (outer.aborted) return;
      if (renewal.aborted) continue;
      // What the person chose and the server refuses is said; a browser that offers none leaves the button.
      if (!browserSentence(problem) && problem.status === 401) say(signInSentence(problem));
      return;
    }
  }
}

/** Why no session began. @param {any} problem */
export function signInSentence(problem) {
  return browserSentence(problem) || (problem.isOffline ? t("shared.problem.offline")
    : problem.status === 429 ? t("console.tooManyTries", { seconds: problem.retryAfterSeconds ?? "" })
    : sentence(problem, { unauthenticated: t("passkeys.refused") }));
}

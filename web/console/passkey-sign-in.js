import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";
import { askPasskey, browserSentence, hindrance } from "./passkeys.js";

/** How long an offer at the field stands before its challenge is replaced, which the server accepts for five minutes. */
const OFFER_MS = 240_000;
/** How often it is looked at whether it stands too long; a device that slept is late, and its clock says so. */
const LOOK_MS = 5_000;
/** How long an offer that met no server waits for the next attempt: a device that wakes has no network yet. */
const RETRY_MS = 10_000;

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
      if (signal.aborted) return;
      say(signInSentence(problem));
      offer = new AbortController();
      offerAtField(offer.signal, enter, say);
    }
  }));
  offerAtField(offer.signal, enter, say);
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
 * @param {AbortSignal} outer ends the offer
 * @param {(session: any) => void} enter @param {(words: string) => void} say
 */
async function offerAtField(outer, enter, say) {
  const isAble = await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false);  // Safe: there is the button.
  while (isAble && !outer.aborted) {
    const [signal, end] = whileFresh(outer);
    try {
      enter(await signIn({ signal, mediation: "conditional" }));
      return;
    } catch (problem) {
      if (outer.aborted) return;
      if (problem.isOffline) await new Promise((done) => setTimeout(done, RETRY_MS));
      else if (!signal.aborted || !browserSentence(problem)) {
        // What the person chose and the server refuses is said; a browser that offers none leaves the button.
        if (!browserSentence(problem) && problem.status === 401) say(signInSentence(problem));
        return;
      }
    } finally {
      end();
    }
  }
}

/**
 * A signal that aborts with another one, or once an offer stands too long by the clock; and what lets go of it.
 * @param {AbortSignal} outer
 * @returns {[AbortSignal, () => void]}
 */
function whileFresh(outer) {
  const [offer, begun] = [new AbortController(), Date.now()];
  const end = () => offer.abort();
  const timer = setInterval(() => {
    if (Date.now() - begun >= OFFER_MS) end();
  }, LOOK_MS);
  offer.signal.addEventListener("abort", () => clearInterval(timer));
  outer.addEventListener("abort", end, { signal: offer.signal });
  return [offer.signal, end];
}

/** Why no session began. @param {any} problem */
export function signInSentence(problem) {
  return browserSentence(problem) || (problem.isOffline ? t("shared.problem.offline")
    : problem.status === 429 ? t("console.tooManyTries", { seconds: problem.retryAfterSeconds ?? "" })
    : sentence(problem, { unauthenticated: t("passkeys.refused") }));
}

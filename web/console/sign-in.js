import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h, replace } from "../lib/dom.js";
import { language, languages, registerStrings, setLanguage, t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";
import { passwordField } from "./password-field.js";
import { passwordSentence, shortestPassword } from "./password-words.js";
import { findWays, goToProvider, readReason, reasonKey } from "./sign-on.js";

await registerStrings({ en: () => import("../i18n/en/sign-on.js"), ja: () => import("../i18n/ja/sign-on.js") });

const makesPerson = new Set(["setup", "invite", "separate", "password"]);
/** From one way of accepting an invitation to the other. */
const otherMode = { join: "separate", separate: "join" };
/** Where the identity provider says who a person is; the other links are for people without one. */
const hasProvider = new Set(["sign-in", "invite", "join", "separate"]);
/** Where the lead names it beside the password. */
const withProvider = new Set(["invite", "join"]);
/** Where the password of an account is asked for. */
const needsPassword = new Set(["sign-in", "join"]);

/**
 * The sign-in page of the console. Modes: `sign-in`; `setup` (a one-time link creates the first owner);
 * `invite`, `join` and `separate` (an invitation creates an account, uses the existing one of its
 * address, or creates a separate one); `password` (a link sets a new one); `dead` (an invalid link);
 * `outside` (signed in, and a member of no business); `waiting` (signed in, and all businesses require a second factor that
 * is missing); `closed` (no account exists yet and the link is in the terminal). `target` is the purpose of the link, as the
 * server returned it; `fragment` is the address's, which may say why the identity provider's sign-in ended without a
 * session; `signsOut` says that the person has just signed out. Events up: `signed-in`, `signed-out`.
 */
class SignInForm extends HTMLElement {
  mode = "sign-in";
  token = "";
  problem = "";
  /** @type {{business?: string, email?: string, name?: string, businesses?: string, account?: string}} */
  target = {};
  fragment = "";
  signsOut = false;
  #end = new AbortController();
  /** @type {import("./sign-on.js").Provider|null} */
  #provider = null;
  /** Whether a forgotten password is replaced by a link that is sent. */
  #passwordLinks = false;
  /** The host that passkeys work at. @type {string|null} */
  #passkeyHost = null;
  /** Ends what was offered with the page that is drawn now. */
  #offer = new AbortController();
  /** What signs in with one, where there may be some. @type {typeof import("./passkey-sign-in.js")|null} */
  #passkeys = null;

  async connectedCallback() {
    if (hasProvider.has(this.mode)) {
      // Before anything is drawn: where there is only the provider, no password is asked for meanwhile.
      ({ provider: this.#provider, passwordLinks: this.#passwordLinks, passkeyHost: this.#passkeyHost } = await findWays());
      if (this.#passkeyHost && this.mode === "sign-in") {
        // Safe: a password does as well.
        this.#passkeys = await import("./passkey-sign-in.js").catch(() => null);
      }
      if (!this.isConnected) return;
      const reason = readReason(this.fragment);
      if (reason && this.#provider) this.problem = t(reasonKey(reason, this.#provider), { name: this.#provider.name });
    }
    this.#draw();
    // An owner may require it no more.
    if (this.mode === "waiting") addEventListener("focus", () => this.#enterAgain(), { signal: this.#end.signal });
  }

  disconnectedCallback() {
    this.#end.abort();
    this.#offer.abort();
  }

  /** Goes on where the businesses wait for nothing any more; a set-up that was begun is left alone. */
  async #enterAgain() {
    const session = await api.get("/api/session").catch(() => null);  // Safe: the page can be loaded again.
    if (session?.businesses.length && this.isConnected && !this.querySelector("second-factor-settings input, passkey-settings input")) this.#enter(session);
  }

  #draw() {
    this.#offer.abort();
    this.#offer = new AbortController();
    this.#show(t(`console.account.${this.mode}`), this.#lead(), this.#content());
  }

  #show(title, lead, content) {
    replace(this, h("main", { class: "account-page" },
      h("div", { class: "account-card" },
        h("p", { class: "brand" }, h("img", { src: "/web/lib/icon.svg", alt: "", width: 36, height: 36 }),
          t("shared.appName")),
        h("h1", null, title),
        h("p", { class: "account-lead" }, lead),
        content),
      this.#languages()));
    /** @type {HTMLElement|null} */ (this.querySelector("input:not([readonly]), .account-provider"))?.focus();
  }

  #lead() {
    if (!this.#provider?.isOnly) {
      return this.#provider && withProvider.has(this.mode) ? t(`console.sso.${this.mode}.leadOr`, { ...this.target, name: this.#provider.name })
        : t(`console.account.${this.mode}.lead`, this.target);
    }
    return this.mode === "sign-in" ? t("console.account.sign-in.lead")
      : t("console.sso.invite.lead", { ...this.target, name: this.#provider.name });
  }

  #content() {
    switch (this.mode) {
      case "closed": return this.#hint();
      case "dead": return this.#wayOut();
      case "outside": return this.#leave();
      case "waiting": return [this.#secondFactor(), this.#leave()];
      default: return this.#provider?.isOnly ? this.#onlyProvider() : [this.#form(), this.#orElse()];
    }
  }

  #leave() {
    return h("button", { type: "button", class: "fd-button is-wide", onClick: () => this.#signOut() }, t("shared.signOut"));
  }

  /** Setting up what the businesses wait for, and then the way into them. */
  #secondFactor() {
    // Who shows this form has loaded it.
    const { email, account } = this.target;
    const place = h("div", { class: "stack" }, h("second-factor-settings", { ".email": email }), h("passkey-settings", { ".account": account }));
    place.addEventListener("session-changed", async () => {
      const session = await api.get("/api/session").catch(() => null);  // Safe: the page can be loaded again.
      if (session) this.#enter(session);
    });
    return place;
  }

  #enter(session) {
    this.dispatchEvent(new CustomEvent("signed-in", { bubbles: true, detail: { session } }));
  }

  /**
   * The second step of signing in to an account that has a second factor. What was typed is kept for it alone.
   * @param {Record<string, any>} values
   */
  async #askCode(values) {
    this.#offer.abort();
    const { codeForm, codeWords } = await import("./code-step.js");
    const { title, lead } = codeWords();
    this.#show(title, lead, codeForm({
      send: async (code) => this.#enter(await this.#post({ ...values, code })),
      back: (problem) => {
        this.problem = problem;
        this.#draw();
      },
    }));
  }

  /** Has a link to a new password sent. */
  async #askLink() {
    this.#offer.abort();
    const email = this.#typed("email");
    const { passwordLinkForm } = await import("./password-link.js");
    this.#show(t("console.account.password"), t("console.passwordLink.lead"), passwordLinkForm({
      email,
      back: () => {
        this.problem = "";
        this.#draw();
      },
    }));
  }

  #typed(name) {
    return /** @type {HTMLInputElement|null} */ (this.querySelector(`[name="${name}"]`))?.value ?? "";
  }

  /** The ways in addition to a password: a passkey of an account that is there, and the provider. */
  #orElse() {
    const passkey = this.mode === "sign-in" ? this.#passkeyWay() : null;
    if (!this.#provider && !passkey) return null;
    return [h("p", { class: "account-or" }, t("console.sso.or")), passkey,
      this.#provider ? [this.#providerButton(""), this.#signOutThere()] : null];
  }

  /** The sign-in with a passkey; null where this browser has none, or this address. */
  #passkeyWay() {
    return this.#passkeys?.passkeyWay({
      host: this.#passkeyHost, signal: this.#offer.signal, enter: (session) => this.#enter(session),
      say: (words) => { this.alert.textContent = words; },
    });
  }

  #onlyProvider() {
    this.alert = h("p", { class: "fd-error", role: "alert" }, this.problem);
    return [this.alert, this.#providerButton("is-primary"), this.#signOutThere()];
  }

  #providerButton(kind) {
    const { name } = this.#provider;
    const button = h("button", {
      type: "button", class: `fd-button is-wide account-provider ${kind}`,
      onClick: () => whileBusy(button, () => this.#goThere()),
    }, t("console.sso.action", { name }));
    return button;
  }

  async #goThere() {
    this.alert.textContent = "";
    try {
      await goToProvider(location.pathname, this.mode === "sign-in" ? undefined : this.token);
    } catch (problem) {
      const { name } = this.#provider;
      const wait = problem.retryAfterSeconds;
      this.alert.textContent = problem.isOffline ? t("shared.problem.offline")
        : problem.status === 429 ? t("console.tooManyTries", { seconds: wait ?? "" })
        : problem.status === 503 ? t(reasonKey(wait ? "unreachable" : "invalid", this.#provider), { name })
        : sentence(problem, { unauthenticated: t("console.deadLink") });
    }
  }

  /** A person who signed out here is still signed in at the provider, which has a page for that. */
  #signOutThere() {
    const { name, signOutUrl } = this.#provider;
    if (!this.signsOut || !signOutUrl) return null;
    return h("p", null, h("a", { href: signOutUrl }, t("console.sso.signOut", { name })));
  }

  async #signOut() {
    await api.delete("/api/session").catch(() => {});  // Safe: the session has ended already.
    this.dispatchEvent(new CustomEvent("signed-out", { bubbles: true }));
  }

  /** Which directory it is stays out of a page that anyone may read: the person who runs the server fills it in. */
  #hint() {
    return h("pre", { class: "account-command" }, "frontdesk owner link --data DIR");
  }

  #wayOut() {
    return [
      this.problem ? h("p", { class: "fd-error", role: "alert" }, this.problem) : null,
      h("p", null, h("a", { href: "/console" }, t("console.account.sign-in"))),
    ];
  }

  #form() {
    const isNew = makesPerson.has(this.mode);
    // The link's values cannot be edited; they are shown to people and to password managers.
    const isGiven = this.mode !== "sign-in" && this.mode !== "setup";
    const other = otherMode[this.mode];
    this.alert = h("p", { class: "fd-error", role: "alert" }, this.problem);
    const form = h("form", { class: "account-form", novalidate: true },
      isNew ? field("name", t("console.name"), {
        autocomplete: "name", required: true, value: this.target.name ?? "",
      }) : null,
      field("email", t("console.email"), {
        type: "email", autocomplete: this.#passkeys ? "username webauthn" : "username", required: true, inputmode: "email",
        readonly: isGiven, value: this.target.email ?? "",
      }),
      passwordField({ id: "account-password", name: "password", label: t("console.password"), isNew, least: shortestPassword }),
      this.alert,
      h("button", { class: "fd-button is-primary is-wide", type: "submit" },
        t(`console.account.${this.mode}.action`)),
      this.#passwordLinks && needsPassword.has(this.mode) ? h("button", {
        type: "button", class: "fd-button is-plain is-wide", onClick: () => this.#askLink(),
      }, t("console.passwordLink")) : null,
      other ? h("button", {
        type: "button", class: "fd-button is-plain is-wide",
        onClick: () => {
          this.mode = other;
          this.#draw();
        },
      }, t(`console.account.${this.mode}.other`)) : null);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      whileBusy(form.querySelector("[type=submit]"), () => this.#send(form));
    });
    return form;
  }

  async #send(form) {
    const values = Object.fromEntries(new FormData(form));
    const missing = [...form.elements].find((element) => element.required && !element.value);
    if (missing) {
      this.alert.textContent = t("console.fillIn", { label: missing.labels[0].textContent });
      missing.focus();
      return;
    }
    this.alert.textContent = "";
    for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    try {
      const session = await this.#post(values);
      if (session.secondFactorRequired) {
        // The new password is set; from here on it is a sign-in.
        this.mode = "sign-in";
        await this.#askCode({ email: session.email, password: values.password });
        return;
      }
      this.#enter(session);
    } catch (problem) {
      if (problem.code === "second_factor_required") {
        await this.#askCode(values);
        return;
      }
      const wait = problem.retryAfterSeconds;
      this.alert.textContent = problem.isOffline ? t("shared.problem.offline")
        : problem.status === 429 ? t("console.tooManyTries", { seconds: wait ?? "" })
        : problem.status === 401 && !makesPerson.has(this.mode) ? t("console.wrongPassword")
        : passwordSentence(problem) || sentence(problem, { unauthenticated: t("console.deadLink") });
      const wrong = form.elements[problem.errors?.[0]?.pointer.slice(1)];
      wrong?.setAttribute("aria-invalid", "true");
      (wrong ?? form.elements.password).focus();
    }
  }

  /** @param {Record<string, any>} values */
  #post(values) {
    if (this.mode === "sign-in") return api.post("/api/session", values);
    if (this.mode === "setup") return this.#setUp(values);
    const { email, ...rest } = values;
    return api.post("/api/invitations/accept", {
      ...rest, token: this.token, ...(this.mode === "separate" ? { separate: true } : {}),
      ...(this.mode === "password" ? { language: language() } : {}),
    });
  }

  /** Creates the owner and the first businesses, each with its first templates. */
  async #setUp(values) {
    const session = await api.post("/api/setup", { ...values, token: this.token });
    try {
      const { addStarters } = await import("./starter-templates.js");
      for (const one of session.businesses) await addStarters(api, one.id, language());
    } catch {
      // Safe: the page of templates offers them wherever there are none.
    }
    return session;
  }

  #languages() {
    return h("p", { class: "account-languages" }, Object.entries(languages).map(([code, name]) =>
      h("button", {
        type: "button", lang: code, class: "fd-button is-plain",
        "aria-pressed": String(code === language()), onClick: () => setLanguage(code),
      }, name)));
  }
}

function field(name, label, attributes) {
  const id = `account-${name}`;
  return h("div", { class: "fd-field" }, h("label", { for: id }, label), h("input", { id, name, class: "fd-input", ...attributes }));
}

customElements.define("sign-in-form", SignInForm);

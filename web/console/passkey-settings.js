import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { formatFarMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { codeField } from "./code-field.js";
import { loadAlert } from "./load-alert.js";
import { confirmAction, field, savingForm, sentence } from "./panel-parts.js";
import { browserSentence, deviceName, hindrance, makePasskey } from "./passkeys.js";
import { passwordField } from "./password-field.js";
import { findWays } from "./sign-on.js";

const styles = sheet(`
passkey-settings { display: grid; gap: 14px; }
.passkey-list { display: grid; margin: 0; padding: 0; list-style: none; border-block: 1px solid var(--fd-line); }
.passkey-list li { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding-block: 10px; }
.passkey-list div { min-width: 0; }
.passkey-list li + li { border-top: 1px solid var(--fd-line); }
.passkey-list strong { overflow-wrap: anywhere; }
.passkey-form { max-width: 420px; }
`);

const PATH = "/api/session/passkeys";

/**
 * The passkeys of the own account: those that there are, and adding one. A session that was begun without one that there is begins anew with it
 * first. Values down: `account` (its id). Events up: `session-changed`.
 */
class PasskeySettings extends HTMLElement {
  account = "";
  #end = new AbortController();
  #parts = h("div", { class: "stack" });

  async connectedCallback() {
    adopt(styles);
    this.hidden = true;
    const { provider } = await findWays();
    // Where people sign in at the identity provider alone there are none.
    if (provider?.isOnly || !this.isConnected) return;
    this.hidden = false;
    replace(this, h("h2", null, t("passkeys.title")), h("p", { class: "fd-help" }, t("passkeys.lead")), this.#parts);
    this.#load();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  /** Reads the passkeys and shows them. @param {boolean} [hasFocus] whether the focus goes to the button */
  async #load(hasFocus = false) {
    let answer = null;
    try {
      answer = await api.get(PATH);
    } catch (problem) {
      if (this.isConnected) replace(this.#parts, loadAlert(problem, () => this.#load()));
      return;
    }
    if (this.isConnected) this.#show(answer, hasFocus);
  }

  #show({ host, passkeys, passkeyNeeded }, hasFocus) {
    const why = hindrance(host);
    const next = h("button", { type: "button", class: `fd-button ${passkeyNeeded ? "is-primary" : ""}`, dataset: { next: "" } }, t(passkeyNeeded ? "passkeys.signIn" : "passkeys.add"));
    this.alert = h("p", { class: "fd-error", role: "alert" });
    next.addEventListener("click", () => whileBusy(next, () => passkeyNeeded ? this.#signIn() : this.#open()));
    replace(this.#parts,
      passkeys.length ? h("ul", { class: "passkey-list", "aria-label": t("passkeys.title") }, passkeys.map((one) => this.#row(one, !passkeyNeeded))) : null,
      why ? h("p", { class: "fd-help" }, t(`passkeys.hindrance.${why}`, { host }))
        : [passkeyNeeded ? h("p", { class: "fd-help" }, t("passkeys.first")) : null, this.alert, h("div", { class: "form-actions is-start" }, next)]);
    if (hasFocus) /** @type {HTMLElement|null} */ (this.querySelector("[data-next]") ?? this.querySelector(".passkey-list button"))?.focus();
  }

  /** Begins the session anew with a passkey. */
  async #signIn() {
    this.alert.textContent = "";
    const { signIn, signInSentence } = await import("./passkey-sign-in.js");
    try {
      const { agent } = await signIn({ signal: this.#end.signal });
      // The device has passkeys of several accounts, of which two may have one address: the whole page is another's now.
      if (agent.id !== this.account) {
        location.reload();
        return;
      }
    } catch (problem) {
      this.alert.textContent = signInSentence(problem);
      return;
    }
    this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
    await this.#load(true);
  }

  #row({ id, name, host, createdAt, usedAt }, mayRemove) {
    const remove = h("button", { type: "button", class: "fd-button is-plain is-danger", "aria-label": t("passkeys.remove.label", { name }) }, t("passkeys.remove"));
    remove.addEventListener("click", () => whileBusy(remove, async () => {
      if (!await confirmAction(t("passkeys.remove.question", { name }), t("passkeys.remove"))) return;
      try {
        await api.delete(`${PATH}/${id}`);
        showToast(t("passkeys.removed", { name }));
      } catch (problem) {
        // Removed in another window.
        if (problem.status !== 404) {
          showToast(sentence(problem));
          return;
        }
      }
      await this.#load(true);
    }));
    return h("li", null,
      h("div", null, h("strong", null, name), h("p", { class: "fd-help" },
        t("passkeys.since", { time: formatFarMoment(new Date(createdAt)) }), " ",
        usedAt ? t("passkeys.used", { time: formatFarMoment(new Date(usedAt)) }) : t("passkeys.unused"),
        hindrance(host) === "elsewhere" ? ` ${t("passkeys.elsewhere", { host })}` : null)),
      mayRemove ? remove : null);
  }

  /** The form that adds one, with what is asked for now. */
  async #open() {
    let needs = null;
    try {
      needs = await api.get(PATH);
    } catch (problem) {
      showToast(sentence(problem));
      return;
    }
    if (!this.isConnected) return;
    const name = h("input", { class: "fd-input", name: "name", required: true, autocomplete: "off", maxlength: 100, value: deviceName(navigator.userAgent) });
    const form = savingForm({ class: "stack passkey-form", save: t("passkeys.continue"), onSave: (sent) => this.#add(sent) },
      field("passkey-name", t("passkeys.name"), name, t("passkeys.name.help")),
      needs.passwordNeeded ? passwordField({ id: "passkey-password", name: "password", label: t("console.password"), isNew: false, least: 0 }) : null,
      needs.codeNeeded ? codeField({ id: "passkey-code" }).element : null);
    form.querySelector(".form-actions").append(
      h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#load(true) }, t("shared.cancel")));
    replace(this.#parts, h("h3", null, t("passkeys.add")), h("p", { class: "fd-help" }, t("passkeys.add.lead")), form);
    name.focus();
    name.select();
  }

  /** @param {HTMLFormElement} form */
  async #add(form) {
    const { name, ...proof } = Object.fromEntries(new FormData(form));
    try {
      const made = await makePasskey(await api.post(`${PATH}/options`, proof));
      await api.post(PATH, { ...made, name, language: language() });
    } catch (problem) {
      throw worded(problem);
    }
    showToast(t("passkeys.added", { name: String(name) }));
    // What waited for a second factor is open.
    this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
    await this.#load(true);
  }
}

/** A refusal in the reader's words and at its field. @param {any} problem */
function worded(problem) {
  const [pointer, words] = problem instanceof DOMException ? ["", browserSentence(problem)]
    : problem.code === "forbidden" ? ["/password", t("secondFactor.wrongPassword")]
    : problem.code === "wrong_code" ? ["/code", t("secondFactor.wrong")]
    : problem.status === 429 ? ["", t("console.tooManyTries", { seconds: problem.retryAfterSeconds ?? "" })]
    : ["", ""];
  if (!words) return problem;
  return Object.assign(new Error(words), { errors: [{ pointer, message: words, fix: words }], code: "", status: problem.status });
}

customElements.define("passkey-settings", PasskeySettings);

import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { copyText } from "../lib/clipboard.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatFarMoment } from "../lib/time.js";
import { codeField, codeSentence } from "./code-field.js";
import { loadAlert } from "./load-alert.js";
import { grouped, recoveryFile } from "./one-time-codes.js";
import { passwordField } from "./password-field.js";

const styles = sheet(`
second-factor-settings { display: grid; gap: 14px; }
.factor-form { display: grid; gap: 14px; max-width: 420px; }
.factor-steps { display: grid; gap: 14px; margin: 0; padding-inline-start: 20px; list-style: decimal; }
.factor-qr { display: block; width: 208px; max-width: 100%; height: auto; margin-top: 8px; border-radius: var(--fd-radius-sm); background: #fff; }
.factor-secret { display: block; margin-top: 8px; overflow-wrap: anywhere; font: var(--fd-text-sm) var(--fd-font-mono); }
.factor-codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 6px 16px; margin: 0; padding: 12px 14px; list-style: none;
  border-radius: var(--fd-radius-sm); background: var(--fd-bg-sunken); font: var(--fd-text-sm) var(--fd-font-mono); }
.factor-buttons { display: flex; flex-wrap: wrap; gap: 8px; }
`);

const PATH = "/api/session/second-factor";

/**
 * The second factor of the own account: setting it up in steps, its recovery codes, turning it off. Values down: `email`,
 * which the file of recovery codes names. Events up: `session-changed`.
 */
class SecondFactorSettings extends HTMLElement {
  email = "";
  /** Whether the password is asked for once more: not right after a sign-in at an identity provider. */
  #needsPassword = true;
  #content = h("div", { class: "factor-form" });

  connectedCallback() {
    adopt(styles);
    replace(this, h("h2", null, t("secondFactor.title")), this.#content);
    this.#load();
  }

  /** @param {string} [said] what was just done */
  async #load(said = "") {
    const state = await this.#read();
    if (!state) return;
    this.#show(...state.isActive ? this.#on(state) : this.#off(state), said ? h("p", { class: "fd-help", role: "status" }, said) : null);
  }

  /** The state of the account; nothing where it cannot be read, which is shown. */
  async #read() {
    try {
      const state = await api.get(PATH);
      this.#needsPassword = state.passwordNeeded;
      return state;
    } catch (problem) {
      this.#showFailure(problem);
      return null;
    }
  }

  #showFailure(problem) {
    replace(this.#content, loadAlert(problem, () => this.#load(), codeSentence));
  }

  /**
   * A button that begins a step, once it is known whether the step needs the password.
   * @param {string} text @param {string} kind @param {() => Promise<void>} step
   */
  #begin(text, kind, step) {
    const button = h("button", { type: "button", class: `fd-button ${kind}` }, text);
    button.addEventListener("click", () => whileBusy(button, async () => {
      if (await this.#read()) await step().catch((problem) => this.#showFailure(problem));
    }));
    return button;
  }

  /** Shows a step, and puts the focus where it goes on. @param {...any} parts */
  #show(...parts) {
    const hadFocus = this.#content.contains(document.activeElement);
    replace(this.#content, parts);
    if (hadFocus) (this.#content.querySelector("input, [data-next], button"))?.focus();
  }

  #off({ passkeyNeeded }) {
    const lead = h("p", { class: "fd-help" }, t("secondFactor.lead"));
    return passkeyNeeded ? [lead, h("p", { class: "fd-help" }, t("secondFactor.passkeyFirst"))] : [
      lead,
      h("div", { class: "factor-buttons" }, this.#begin(t("secondFactor.setUp"), "is-primary", () => this.#setUp())),
    ];
  }

  #on({ since, recoveryCodesLeft }) {
    return [
      h("p", null, t("secondFactor.on", { time: formatFarMoment(new Date(since)) })),
      h("p", { class: recoveryCodesLeft < 3 ? "fd-error" : "fd-help" }, t("secondFactor.left", { count: recoveryCodesLeft })),
      h("div", { class: "factor-buttons" },
        this.#begin(t("secondFactor.newCodes"), "", () => this.#replaceCodes()),
        this.#begin(t("secondFactor.turnOff"), "is-danger", () => this.#turnOff())),
    ];
  }

  /**
   * A form of a step. `again` draws the step anew, with the password that came to be needed while the form was open.
   * @param {{lead: any, fields: any[], action: string, isDanger?: boolean, send: (form: HTMLFormElement) => Promise<void>,
   *   again?: () => Promise<void>}} step
   */
  #form({ lead, fields, action, isDanger = false, send, again }) {
    const alert = h("p", { class: "fd-error", role: "alert" });
    const button = h("button", { type: "submit", class: `fd-button ${isDanger ? "is-danger" : "is-primary"}` }, action);
    const form = /** @type {HTMLFormElement} */ (h("form", { class: "factor-form", novalidate: true }, lead, fields, alert, h("div", { class: "factor-buttons" }, button,
      h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#load() }, t("shared.cancel")))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      whileBusy(button, async () => {
        alert.textContent = "";
        for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
        const missing = /** @type {HTMLInputElement|undefined} */ ([...form.querySelectorAll("input")].find((one) => !one.value.trim()));
        if (missing) {
          alert.textContent = t("console.fillIn", { label: missing.labels[0].textContent });
          missing.setAttribute("aria-invalid", "true");
          missing.focus();
          return;
        }
        try {
          await send(form);
        } catch (problem) {
          if (again && lacksPassword(problem, form)) {
            this.#needsPassword = true;
            await again().catch((failure) => this.#showFailure(failure));
            return;
          }
          alert.textContent = codeSentence(problem);
          const wrong = form.querySelector(`[name=${problem.code === "forbidden" ? "password" : "code"}]`);
          const input = /** @type {HTMLInputElement|null} */ (wrong ?? form.querySelector("input"));
          input?.setAttribute("aria-invalid", "true");
          input?.focus();
          input?.select();
        }
      });
    });
    return form;
  }

  /** The field of the password, where it is needed, and what a person does who has none. */
  async #password() {
    if (!this.#needsPassword) return [];
    const { identities } = await api.get("/api/session/identities");
    return [
      passwordField({ id: "factor-password", name: "password", label: t("console.password"), isNew: false, least: 0 }),
      identities.length > 0 ? h("p", { class: "fd-help" }, t("secondFactor.password.none")) : null,
    ];
  }

  async #setUp() {
    if (!this.#needsPassword) {
      this.#showSecret(await api.post(PATH, {}));
      return;
    }
    this.#show(this.#form({
      lead: h("p", { class: "fd-help" }, t("secondFactor.password")), fields: await this.#password(), action: t("secondFactor.continue"),
      send: async (form) => this.#showSecret(await api.post(PATH, sent(form))),
    }));
  }

  /** The secret, as a picture and to type, and the first code of it. */
  #showSecret({ secret, url, qr }) {
    const field = codeField({ id: "factor-code", hasRecovery: false });
    this.#show(this.#form({
      lead: h("ol", { class: "factor-steps" },
        h("li", null, t("secondFactor.scan"),
          qr ? h("img", { class: "factor-qr", alt: t("secondFactor.qr"), width: 208, height: 208, src: `data:image/svg+xml,${encodeURIComponent(qr)}` }) : null,
          h("span", { class: "fd-help" }, t("secondFactor.type")),
          h("code", { class: "factor-secret", tabindex: "0", "aria-label": t("secondFactor.secret") }, grouped(secret)),
          h("div", { class: "factor-buttons" }, copyButton(secret), h("a", { class: "fd-button is-plain", href: url }, t("secondFactor.open")))),
        h("li", null, t("secondFactor.confirm"))),
      fields: [field.element], action: t("secondFactor.turnOn"),
      send: async (form) => {
        const { recoveryCodes } = await api.post(`${PATH}/confirmation`, sent(form));
        this.#showCodes(recoveryCodes, t("secondFactor.isOn"));
      },
    }));
    field.input.focus();
  }

  /** Recovery codes, which are shown this once. @param {string[]} codes @param {string} said */
  #showCodes(codes, said) {
    const file = new Blob([recoveryFile({
      title: t("secondFactor.file"), account: this.email, lead: t("secondFactor.file.lead"), codes,
    })], { type: "text/plain" });
    const address = URL.createObjectURL(file);
    const done = h("button", { type: "button", class: "fd-button is-primary", onClick: () => {
      URL.revokeObjectURL(address);
      this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
      this.#load();
    } }, t("secondFactor.kept"));
    this.#show(
      h("p", { role: "status", tabindex: "-1", dataset: { next: "" } }, said),
      h("p", { class: "fd-help" }, t("secondFactor.codes")),
      h("ul", { class: "factor-codes", lang: "en", "aria-label": t("secondFactor.codes.label") }, codes.map((code) => h("li", null, code))),
      h("div", { class: "factor-buttons" }, copyButton(codes.join("\n")),
        h("a", { class: "fd-button", href: address, download: "frontdesk-recovery-codes.txt" }, t("secondFactor.download"))),
      h("div", { class: "factor-buttons" }, done));
    /** @type {HTMLElement|null} */ (this.#content.querySelector("[data-next]"))?.focus();
  }

  async #replaceCodes() {
    const field = codeField({ id: "factor-code" });
    this.#show(this.#form({
      lead: h("p", { class: "fd-help" }, t("secondFactor.newCodes.lead")), fields: [...await this.#password(), field.element],
      action: t("secondFactor.newCodes"), again: () => this.#replaceCodes(),
      send: async (form) => {
        const made = await api.post(`${PATH}/recovery-codes`, sent(form));
        this.#showCodes(made.recoveryCodes, t("secondFactor.newCodes.done"));
      },
    }));
  }

  async #turnOff() {
    const field = codeField({ id: "factor-code" });
    this.#show(this.#form({
      lead: h("p", { class: "fd-help" }, t("secondFactor.turnOff.lead")), fields: [...await this.#password(), field.element],
      action: t("secondFactor.turnOff"), isDanger: true, again: () => this.#turnOff(),
      send: async (form) => {
        await api.post(`${PATH}/removal`, sent(form));
        this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
        await this.#load(t("secondFactor.turnOff.done"));
      },
    }));
  }
}

/** What a form sends: its fields by their names. @param {HTMLFormElement} form */
function sent(form) {
  return Object.fromEntries(new FormData(form));
}

/** Whether a form was refused for want of a password that it does not ask for. @param {any} problem @param {HTMLFormElement} form */
function lacksPassword(problem, form) {
  return !form.querySelector("[name=password]") && problem.errors?.some(({ rule }) => rule === "request-missing");
}

/** @param {string} text */
function copyButton(text) {
  const button = h("button", { type: "button", class: "fd-button" }, t("shared.copy"));
  button.addEventListener("click", async () => {
    if (await copyText(text)) button.textContent = t("shared.copied");
    setTimeout(() => { button.textContent = t("shared.copy"); }, 1600);
  });
  return button;
}

customElements.define("second-factor-settings", SecondFactorSettings);

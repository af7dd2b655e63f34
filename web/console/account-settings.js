import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { showToast } from "../lib/toast.js";
import { field, savingForm } from "./panel-parts.js";
import { passwordField } from "./password-field.js";
import { passwordSentence, shortestPassword } from "./password-words.js";
import { roleName, roleWords } from "./permissions.js";
import { findWays } from "./sign-on.js";

await registerStrings({ en: () => import("../i18n/en/sign-on.js"), ja: () => import("../i18n/ja/sign-on.js") });

/**
 * The own account: who the person is, and forms for another name and another password, of which one is open at a time. Values down:
 * `agent`. Events up: `session-changed`.
 */
class AccountSettings extends HTMLElement {
  agent = null;
  /** No password is accepted where people sign in at the identity provider alone. */
  #hasPassword = false;
  #parts = h("div", { class: "stack" });

  async connectedCallback() {
    replace(this, this.#parts);
    this.#show();
    const { provider } = await findWays();
    if (!this.isConnected) return;
    this.#hasPassword = !provider?.isOnly;
    // A form that was opened meanwhile stays.
    if (!this.querySelector("form")) this.#show();
  }

  /** The account, with the focus at a button whose form was left. @param {"name"|"password"|""} [left] */
  #show(left = "") {
    const { name, email, role } = this.agent;
    const buttons = ["name", ...this.#hasPassword ? ["password"] : []].map((what) => h("button", {
      type: "button", class: "fd-button", dataset: { what }, onClick: () => this.#open(what),
    }, t(`account.${what}.change`)));
    replace(this.#parts, h("dl", { class: "facts" },
      h("dt", null, t("console.name")), h("dd", null, name),
      h("dt", null, t("console.email")), h("dd", null, email),
      h("dt", null, t("console.role")), h("dd", null, roleName(role), h("p", { class: "fd-help" }, roleWords(role)))),
    h("div", { class: "form-actions is-start" }, buttons));
    if (left) /** @type {HTMLElement|null} */ (this.querySelector(`[data-what="${left}"]`))?.focus();
  }

  #open(what) {
    const form = what === "name" ? this.#nameForm() : this.#passwordForm();
    form.querySelector(".form-actions").append(
      h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#show(what) }, t("shared.cancel")));
    replace(this.#parts, h("h2", null, t(`account.${what}.change`)), form);
    const first = form.querySelector("input:not([hidden])");
    first.focus();
    if (what === "name") first.select();
  }

  #nameForm() {
    const input = h("input", { class: "fd-input", name: "name", autocomplete: "name", required: true, value: this.agent.name });
    return savingForm({
      save: t("shared.save"),
      onSave: async () => {
        const { agent } = await api.patch("/api/session", { name: input.value });
        this.#done("name", agent, t("account.name.changed", { name: agent.name }));
      },
    }, field("account-name", t("console.name"), input, t("account.name.lead")));
  }

  #passwordForm() {
    const [old, next] = [["password", "account.password.now", false], ["newPassword", "account.password.next", true]].map(
      ([name, label, isNew]) => passwordField({ id: `account-${name}`, name, label: t(label), isNew, least: shortestPassword }));
    return savingForm({
      save: t("account.password.change"),
      onSave: async (form) => {
        const values = Object.fromEntries(new FormData(form));
        try {
          const { agent } = await api.put("/api/session/password", { ...values, language: language() });
          this.#done("password", agent, t("account.password.changed"));
        } catch (problem) {
          throw worded(problem);
        }
      },
    }, h("input", { type: "text", autocomplete: "username", value: this.agent.email, hidden: true }), old, next);
  }

  #done(what, agent, words) {
    this.agent = agent;
    this.#show(what);
    showToast(words);
    this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
  }
}

/** A refusal that says what is wrong with a password, in the reader's words and at its field. */
function worded(problem) {
  const words = passwordSentence(problem, "/newPassword")
    || (problem.status === 403 ? t("account.password.wrong") : problem.status === 422 ? t("account.password.same") : "");
  if (!words) return problem;
  const pointer = problem.status === 403 ? "/password" : "/newPassword";
  return Object.assign(new Error(words), { errors: [{ pointer, message: words, fix: words }], code: "", status: problem.status });
}

customElements.define("account-settings", AccountSettings);

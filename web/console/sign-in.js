import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { language, languages, setLanguage, t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";
import { passwordSentence, shortestPassword } from "./password-words.js";

/**
 * The door of the console. Modes: `sign-in`; `setup` and `invite` (a one-time link makes a person);
 * `closed` (nobody exists yet and the link is in the terminal). Event up: `signed-in`.
 */
class SignInForm extends HTMLElement {
  mode = "sign-in";
  token = "";
  problem = "";

  connectedCallback() {
    this.#draw();
  }

  #draw() {
    replace(this, h("main", { class: "door" },
      h("div", { class: "door-card" },
        h("p", { class: "brand" }, h("img", { src: "/web/lib/icon.svg", alt: "", width: 36, height: 36 }),
          t("shared.appName")),
        h("h1", null, t(`console.door.${this.mode}`)),
        h("p", { class: "door-lead" }, t(`console.door.${this.mode}.lead`)),
        this.mode === "closed" ? this.#hint() : this.#form()),
      this.#languages()));
    this.querySelector("input")?.focus();
  }

  #hint() {
    return h("pre", { class: "door-command" }, "frontdesk owner link");
  }

  #form() {
    const makesPerson = this.mode !== "sign-in";
    this.alert = h("p", { class: "fd-error", role: "alert" }, this.problem);
    const form = h("form", { class: "door-form", novalidate: true },
      makesPerson ? field("name", t("console.name"), { autocomplete: "name", required: true }) : null,
      this.mode !== "invite" ? field("email", t("console.email"), {
        type: "email", autocomplete: "username", required: true, inputmode: "email",
      }) : null,
      field("password", t("console.password"), {
        type: "password", required: true,
        autocomplete: makesPerson ? "new-password" : "current-password",
      }, makesPerson ? t("console.passwordHelp", { count: shortestPassword }) : ""),
      this.alert,
      h("button", { class: "fd-button is-primary is-wide", type: "submit" },
        t(`console.door.${this.mode}.action`)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(form);
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
    const button = form.querySelector("button");
    button.disabled = true;
    this.alert.textContent = "";
    for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    const routes = {
      "sign-in": "/api/session", setup: "/api/setup", invite: "/api/invitations/accept",
    };
    try {
      const body = this.mode === "sign-in" ? values : { ...values, token: this.token };
      const session = await api.post(routes[this.mode], body);
      this.dispatchEvent(new CustomEvent("signed-in", { bubbles: true, detail: { session } }));
    } catch (problem) {
      button.disabled = false;
      const wait = problem.retryAfterSeconds;
      this.alert.textContent = problem.isOffline ? t("shared.problem.offline")
        : problem.status === 429 ? t("console.tooManyTries", { seconds: wait ?? "" })
        : problem.status === 401 && this.mode === "sign-in" ? t("console.wrongPassword")
        : passwordSentence(problem) || sentence(problem, { unauthenticated: t("console.deadLink") });
      const wrong = form.elements[problem.errors?.[0]?.pointer.slice(1)];
      wrong?.setAttribute("aria-invalid", "true");
      (wrong ?? form.elements.password).focus();
    }
  }

  #languages() {
    return h("p", { class: "door-languages" }, Object.entries(languages).map(([code, name]) =>
      h("button", {
        type: "button", lang: code, class: "fd-button is-plain",
        "aria-pressed": String(code === language()), onClick: () => setLanguage(code),
      }, name)));
  }
}

function field(name, label, attributes, help = "") {
  const id = `door-${name}`;
  return h("div", { class: "fd-field" },
    h("label", { for: id }, label),
    h("input", { id, name, class: "fd-input", "aria-describedby": help ? `${id}-help` : null,
      ...attributes }),
    help ? h("p", { id: `${id}-help`, class: "fd-help" }, help) : null);
}

customElements.define("sign-in-form", SignInForm);

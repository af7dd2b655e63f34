import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { languageSwitch } from "./language-switch.js";
import { tidyCode } from "./route.js";

/** Accepts the code that is shown beside a QR code, for people who cannot scan it. */
export class CodeForm extends HTMLElement {
  /** What stands in the field at first. */
  typed = "";

  connectedCallback() {
    this.#draw();
  }

  #draw() {
    const problem = h("p", { class: "fd-error", id: "code-problem", role: "alert" });
    const field = h("input", {
      class: "code-field", id: "code", name: "code", value: this.typed, autocomplete: "one-time-code",
      autocapitalize: "characters", autocorrect: "off", spellcheck: "false", inputmode: "text",
      placeholder: "ABCDE-FGHJK", "aria-describedby": "code-hint code-problem",
      onInput: (event) => {
        if (event.isComposing) return;
        const isAtEnd = field.selectionStart === field.value.length;
        if (isAtEnd) field.value = tidyCode(field.value);
        field.removeAttribute("aria-invalid");
        replace(problem);
      },
    });
    const button = h("button", { class: "fd-button is-primary is-wide", type: "submit" },
      t("phone.code.open"));
    const fail = (key) => {
      field.setAttribute("aria-invalid", "true");
      replace(problem, t(key));
      field.focus();
    };
    const submit = async (event) => {
      event.preventDefault();
      const typed = tidyCode(field.value);
      if (typed.length < 11) return fail("phone.code.short");
      await whileBusy(button, async () => {
        try {
          const { code } = await api.post("/api/phone/codes", { typed });
          // By path: the address this phone came by may not be the server's public one.
          location.assign(`/j/${encodeURIComponent(code)}`);
        } catch (reason) {
          fail(reason.isOffline ? "shared.problem.offline"
            : reason.status === 429 ? "shared.problem.rate_limited" : "phone.code.wrong");
        }
      });
    };
    replace(this, h("main", { class: "notice" },
      h("form", { class: "notice-body", onSubmit: submit, novalidate: true },
        h("img", { src: "/web/phone/icon.svg", alt: "", width: 72, height: 72 }),
        h("h1", null, t("phone.code.title")),
        h("p", { id: "code-hint" }, t("phone.code.hint")),
        h("label", { class: "fd-hidden-text", for: "code" }, t("phone.code.label")),
        field, problem, button),
      languageSwitch()));
    field.focus();
  }
}

customElements.define("code-form", CodeForm);

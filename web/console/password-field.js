import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";

/**
 * A field for a password, with a button that shows what is typed, and below it what may go wrong unseen: Caps Lock, and how
 * many characters a new one still needs.
 * @param {{id: string, name: string, label: string, isNew: boolean, least: number}} options
 * @returns {HTMLElement}
 */
export function passwordField({ id, name, label, isNew, least }) {
  const input = h("input", {
    id, name, class: "fd-input", type: "password", required: true, spellcheck: "false", autocapitalize: "off",
    autocomplete: isNew ? "new-password" : "current-password", "aria-describedby": isNew ? `${id}-help ${id}-hint` : `${id}-hint`,
  });
  const help = isNew ? h("p", { id: `${id}-help`, class: "fd-help" }) : null;
  const hint = h("p", { id: `${id}-hint`, class: "fd-help password-hint", role: "status" });
  const drawHelp = () => {
    const count = [...input.value].length;
    help?.classList.toggle("is-enough", count >= least);
    if (help) help.textContent = t(count && count < least ? "console.password.more" : "console.passwordHelp", { count: count && count < least ? least - count : least });
  };
  const eye = h("button", {
    type: "button", class: "password-eye", "aria-label": t("console.password.show"), title: t("console.password.show"), "aria-pressed": "false",
    "aria-controls": id, onClick: () => {
      const isShown = input.type === "password";
      input.type = isShown ? "text" : "password";
      eye.setAttribute("aria-pressed", String(isShown));
    },
  }, icon("eye", 18));
  const look = (event) => {
    const words = event.getModifierState?.("CapsLock") ? t("console.password.capsLock") : "";
    if (hint.textContent !== words) hint.textContent = words;
  };
  input.addEventListener("keydown", look);
  input.addEventListener("keyup", look);
  input.addEventListener("blur", () => { hint.textContent = ""; });
  input.addEventListener("input", drawHelp);
  drawHelp();
  return h("div", { class: "fd-field" }, h("label", { for: id }, label), h("div", { class: "password" }, input, eye), help, hint);
}

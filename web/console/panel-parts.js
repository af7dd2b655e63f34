import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { focusAgain, rememberPlace } from "../lib/focus-return.js";
import { t } from "../lib/i18n.js";
import { fixWords } from "../composer/rule-words.js";
import { copyText } from "../lib/clipboard.js";
import { refusalSentence } from "../lib/refusals.js";

let faults = 0;

/**
 * A labelled field.
 * @param {string} id
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [help]
 */
export function field(id, label, input, help = "") {
  input.id = id;
  if (help) input.setAttribute("aria-describedby", `${id}-help`);
  return h("div", { class: "fd-field" }, h("label", { for: id }, label), input.type === "file" ? fileControl(input) : input,
    help ? h("p", { class: "fd-help", id: `${id}-help` }, help) : null);
}

/**
 * A part of a panel. `title` names it; without one it has no heading.
 * @param {string} title
 * @param {...any} children
 */
export function card(title, ...children) {
  return h("section", { class: "settings-card" }, title ? h("h2", null, title) : null, children);
}

/**
 * What a panel is for, with the page of the documentation that says more.
 * @param {string} words
 * @param {string} page such as `webhooks`
 * @param {string} about what the page answers
 */
export function lead(words, page, about) {
  return h("p", { class: "fd-help" }, words, " ", h("a", { href: `/docs/${page}`, target: "_blank", rel: "noopener" }, about));
}

/**
 * A control that chooses a file: a button, and the file's name once there is one.
 * @param {HTMLInputElement} input
 */
function fileControl(input) {
  const name = h("span", { class: "fd-file-name" }, t("console.noFile"));
  input.addEventListener("change", () => { name.textContent = input.files[0]?.name ?? t("console.noFile"); });
  return h("div", { class: "fd-file" }, h("span", { class: "fd-button", "aria-hidden": "true" }, t("console.chooseFile")), name, input);
}

/**
 * The text of a refusal, in sentences.
 * @param {any} problem
 * @param {Record<string, string>} [own] sentences by code, as for `refusalSentence`
 */
export function sentence(problem, own) {
  const findings = problem.errors ?? [];
  if (!findings.length) return refusalSentence(problem, own);
  return findings.map((one) => one.found && one.allowed
    ? `${fixWords(one)} ${t("shared.foundAllowed", one)}` : fixWords(one)).join("\n");
}

/**
 * A form that shows the error beside its button, or at the field that it is about, and keeps the typed values. The error goes when that field
 * is filled in, and when rows of the form say, by the event `rows-changed`, that what it was about may be gone.
 * @param {{class?: string, save: string, judgesNumbers?: boolean, keepsWritten?: boolean, written?: () => string, isCarried?: boolean,
 *   onSave: (form: HTMLFormElement) => Promise<void>}} options `judgesNumbers`: the form says itself which numbers cannot be. Of a form that is left
 *   half filled: `keepsWritten`: it is kept; `written`: what would be saved, where the fields alone do not say it; `isCarried`: it goes along to another business
 * @param {...any} children
 */
export function savingForm({ save, onSave, judgesNumbers = false, keepsWritten = false, written, isCarried, ...props }, ...children) {
  faults += 1;
  const alert = h("p", { class: "fd-error", role: "alert", id: `fault-${faults}` });
  const button = h("button", { class: "fd-button is-primary", type: "submit" }, save);
  const actions = h("div", { class: "form-actions" }, button);
  const form = h("form", { class: props.class ?? "stack", novalidate: true }, children, alert, actions);
  const isWrong = (one) => isMissing(one) || one.validity?.customError || !judgesNumbers && isNoNumber(one);
  /** The field that the alert is about. @type {HTMLElement|null} */
  let said = null;
  let isAtField = false;
  /** Those that this form marked, and not what puts children into it. @type {Set<HTMLElement>} */
  let marked = new Set();
  const say = (words, field = null) => {
    if (said) describe(said, (ids) => ids.filter((id) => id !== alert.id));
    said = field;
    const place = field?.closest(".fd-field");
    if (place) place.append(alert);
    else if (isAtField) actions.before(alert);
    isAtField = Boolean(place);
    alert.textContent = words;
    if (!field) return;
    describe(field, (ids) => [...ids, alert.id]);
    field.setAttribute("aria-invalid", "true");
    marked.add(field);
    field.focus();
  };
  if (!keepsWritten) form.leaving = { written, isCarried };
  const saved = () => form.dispatchEvent(new CustomEvent("form-saved", { bubbles: true }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(button, async () => {
      marked = markWrong(form, isWrong);
      const [wrong] = marked;
      say(wrong ? wrongWords(wrong) : "", wrong);
      if (wrong) return;
      try {
        await onSave(form);
        saved();
      } catch (problem) {
        say(sentence(problem), refusedField(form, problem));
        // What waits for another owner is not lost with the form.
        if (problem.code === "approval_needed") saved();
      }
    });
  });
  form.addEventListener("rows-changed", () => say(""));
  form.addEventListener("input", ({ target }) => {
    if (!marked.has(target) || isWrong(target)) return;
    marked.delete(target);
    target.removeAttribute("aria-invalid");
    if (target === said) say("");
  });
  return form;
}

/** Changes what describes a field. @param {HTMLElement} field @param {(ids: string[]) => string[]} change */
function describe(field, change) {
  const ids = change((field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean));
  if (ids.length) field.setAttribute("aria-describedby", ids.join(" "));
  else field.removeAttribute("aria-describedby");
}

/** The field that a refusal is about: one whose name is the member of the body. @param {HTMLFormElement} form @param {any} problem */
function refusedField(form, { errors = [] }) {
  const names = errors.map(({ pointer }) => pointer?.slice(1)).filter(Boolean);
  return [...form.elements].find((one) => names.includes(one.name)) ?? null;
}

/** What a field is called: the fields of rows have no label beside them. @param {HTMLInputElement} field */
const labelOf = (field) => field.labels[0]?.textContent ?? field.getAttribute("aria-label");

const isMissing = (field) => field.required && !field.value.trim() && !field.validity?.badInput;
/** Also what is typed into a field of numbers and is none: its value is empty, as if nothing were wanted. */
const isNoNumber = (field) => field.type === "number" && !field.disabled && field.checkVisibility() && !field.validity.valid;

/** Marks the fields that are empty and needed, or have a number that cannot be, in their order. @param {HTMLFormElement} form @param {(field: any) => boolean} isWrong */
function markWrong(form, isWrong) {
  const wrong = [...form.elements].filter(isWrong);
  for (const one of form.elements) one.removeAttribute("aria-invalid");
  for (const one of wrong) one.setAttribute("aria-invalid", "true");
  return new Set(wrong);
}

/** @param {HTMLInputElement} field */
function wrongWords(field) {
  const { min, max } = field;
  if (isMissing(field)) return t("console.fillIn", { label: labelOf(field) });
  if (field.validity.customError) return field.validationMessage;
  return max ? t("console.numberWithin", { label: labelOf(field), min, max }) : t("console.numberFrom", { label: labelOf(field), min });
}

/** A text that is to be carried elsewhere, with a button that copies it. @param {string} label @param {string} text */
export function copyField(label, text) {
  const button = h("button", { type: "button", class: "fd-button" }, t("shared.copy"));
  button.addEventListener("click", async () => {
    if (await copyText(text)) button.textContent = t("shared.copied");
    setTimeout(() => { button.textContent = t("shared.copy"); }, 1600);
  });
  return h("div", { class: "copy-field" },
    h("span", { class: "fd-label" }, label), h("code", { tabindex: "0" }, text), button);
}

/**
 * Asks for confirmation of an action that cannot be undone. The focus returns to the button that asked, or to the one that a
 * redraw has put in its place.
 * @param {string} question
 * @param {string} action
 * @returns {Promise<boolean>}
 */
export function confirmAction(question, action) {
  return new Promise((resolve) => {
    const opener = /** @type {HTMLElement|null} */ (document.activeElement);
    if (opener) rememberPlace(opener);
    // The event of closing waits for the next frame: who presses the button again before it would press one that is busy.
    const answer = (isWanted) => {
      if (!dialog.isConnected) return;
      dialog.close();
      dialog.remove();
      if (opener && !opener.isConnected) focusAgain(opener);
      resolve(isWanted);
    };
    const dialog = h("dialog", { class: "dialog", "aria-label": question, onClose: () => answer(false), onCancel: (event) => {
      event.preventDefault();
      answer(false);
    } },
      h("p", null, question),
      h("form", { class: "form-actions", onSubmit: (event) => {
        event.preventDefault();
        answer(event.submitter?.value === "yes");
      } },
      h("button", { class: "fd-button", value: "no", autofocus: true }, t("shared.cancel")),
      h("button", { class: "fd-button is-danger", value: "yes" }, action)));
    document.body.append(dialog);
    dialog.showModal();
  });
}

import { api } from "../lib/api.js";
import { adopt, h, sheet } from "../lib/dom.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { knownValues } from "../lib/names.js";
import { openPopup } from "../lib/popup.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { sendBack, takenWords } from "./changes.js";
import { sentence } from "./panel-parts.js";
import { valueInput } from "./part-controls.js";
import { openPickMenu } from "./pick-menu.js";
import { writeRoute } from "./routes.js";
import { partsOfActions } from "./rule-parts.js";

await registerStrings({ en: () => import("../i18n/en/rules.js"), ja: () => import("../i18n/ja/rules.js") });

const styles = sheet(`
.macro-values { gap: 12px; width: 280px; max-width: 100%; padding: 8px; }
.macro-values h2 { font-size: var(--fd-text-md); overflow-wrap: anywhere; }
.macro-values .fd-error:empty { display: none; }
`);

/**
 * Opens the menu of the macros of a conversation's business.
 * @param {HTMLElement} anchor
 * @param {import("./desk-state.js").DeskState} state
 * @param {any} conversation
 */
export async function openMacroMenu(anchor, state, conversation) {
  let macros;
  try {
    const page = await api.get(`/api/businesses/${conversation.business}/macros`);
    macros = page.data.filter((one) => !one.retired);
  } catch (problem) {
    return showToast(refusalSentence(problem));
  }
  openPickMenu(anchor, {
    label: t("macros.find"), none: t("macros.none"), foot: settingsLink(anchor),
    items: () => macros.map(({ id, name }) => ({ id, text: name })),
    choose: (id) => beginMacro(anchor, state, conversation, macros.find((one) => one.id === id)),
  });
}

/**
 * Runs a macro at once, or asks for its values first.
 * @param {HTMLElement} anchor
 * @param {import("./desk-state.js").DeskState} state
 * @param {any} conversation
 * @param {any} macro
 */
export function beginMacro(anchor, state, conversation, macro) {
  if (!macro.parameters.length) return run(state, conversation, macro, {});
  adopt(styles);
  const known = knownValues(conversation);
  const inputs = macro.parameters.map((one) => valueInput(one, known[one.name]));
  const problem = h("p", { class: "fd-error", role: "alert" });
  const popup = openPopup(anchor, h("form", { class: "stack macro-values", novalidate: true, onSubmit: async (event) => {
    event.preventDefault();
    problem.textContent = "";
    const wrong = macro.parameters.findIndex((one, place) => inputs[place].input.validity.customError
      || one.required && one.default === undefined && !inputs[place].read().length);
    if (wrong >= 0) {
      const { input } = inputs[wrong];
      problem.textContent = input.validity.customError ? input.validationMessage : t("console.fillIn", { label: macro.parameters[wrong].label || macro.parameters[wrong].name });
      return input.focus();
    }
    const values = Object.fromEntries(inputs.flatMap((one) => one.read()));
    const refusal = await run(state, conversation, macro, values);
    if (refusal) problem.textContent = refusal;
    else popup.close();
  } }, h("h2", null, macro.name), inputs.map(({ element }) => element), problem,
  h("button", { type: "submit", class: "fd-button is-primary" }, t("macros.run"))), { label: macro.name });
  inputs[0].input.focus();
}

/** Runs a macro and says so, with the way back where there is one; returns why it was refused. */
async function run(state, conversation, macro, values) {
  const { id } = conversation;
  try {
    const { done, undo } = await api.post(`/api/conversations/${id}/macros/${macro.id}`, { values });
    const isChange = done.some(({ result }) => result === "done");
    const hasNote = undo && macro.actions.some((one) => "note" in one);
    showToast(t(hasNote ? "macros.doneNoted" : isChange ? "macros.done" : "macros.unchanged", macro), undo ? { undo: () => undoRun(state, id, undo) } : {});
    return "";
  } catch (problem) {
    const words = t("macros.refused", { name: macro.name, reason: reasonOf(problem, macro) });
    showToast(words);
    return words;
  }
}

/** Why nothing was done: which values a template of the macro still needs, or what the server says. */
function reasonOf(problem, { actions }) {
  const errors = problem.errors ?? [];
  const lacking = errors.filter(({ rule, pointer }) => rule === "request-missing" && pointer.startsWith("/values/")).map(({ pointer }) => pointer.split("/").at(-1));
  if (lacking.length && lacking.length === errors.length) return t("macros.lacking", { values: listWords(lacking) });
  // The server's words are about requests of programs.
  const namesSomething = partsOfActions(actions).some(({ kind, value }) => ["assign", "team", "addLabel"].includes(kind) && value !== null && value !== "me");
  if (problem.code === "invalid" && !errors.length && namesSomething) return t("macros.namesGone");
  return errors.length ? sentence(problem) : refusalSentence(problem);
}

const listWords = (words) => new Intl.ListFormat(language(), { type: "conjunction" }).format(words);

/** Undoes what a macro did, but for its note and for what was changed since. */
async function undoRun(state, id, undo) {
  try {
    if (await sendBack(undo, (still) => state.change(still, id))) showToast(t("shared.undo.left"));
  } catch (problem) {
    showToast(refusalSentence(problem, takenWords(problem, undo)));
  }
}

function settingsLink(anchor) {
  const path = writeRoute({ name: "settings", section: "macros" });
  return h("a", { class: "pick-foot", href: path, onClick: (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    anchor.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: path }));
  } }, t("macros.manage"));
}

/** The lists of a template: adding one, with what each of its items has. */
import { iconButton } from "../composer/fields.js";
import { adopt, h, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openMenu, openPopup } from "../lib/popup.js";
import { icon } from "../composer/icons.js";
import { POSITION } from "./template-lists.js";
import { valueName } from "./template-parameters.js";
import { choicesOf, valueTypes } from "./template-values.js";

const styles = sheet(`
.new-list { width: min(320px, calc(100vw - 44px)); padding: 8px; }
.new-list fieldset { display: grid; gap: 8px; min-width: 0; margin: 0; padding: 0; border: 0; }
.new-list legend { padding: 0 0 6px; font-size: var(--fd-text-sm); font-weight: 500; }
.new-list-value { display: grid; grid-template-columns: minmax(0, 1fr) 112px 34px; gap: 6px; align-items: center; }
.new-list-value > .fd-input:nth-child(4) { grid-column: 1 / -1; }
.new-list-value > .fd-input[hidden] { display: none; }
.new-list-value > button { justify-self: end; }
`);

/** Most values of an item, as `docs/limits.md` has it. */
const MOST_MEMBERS = 20;

/** What an item has to begin with, by the kind of message. */
const starting = { time: "date", list: "text", quickReply: "text" };

/**
 * Asks for a list: one that the template has, or a new one.
 * @param {HTMLElement} button
 * @param {{kind: string, lists: {name: string, label: string}[], used: string[], add: (list: any) => void, put: (name: string) => void}} parts `used`: names
 *   that the template has; `add` is called with a new list before `put` with its name
 */
export function chooseList(button, { kind, lists, used, add, put }) {
  const makeNew = () => openNewList(button, kind, used, (list) => {
    add(list);
    put(list.name);
  });
  if (!lists.length) return makeNew();
  openMenu(button, [
    ...lists.map(({ name, label }) => ({ text: label, aside: `{{${name}}}`, run: () => put(name) })),
    { isLine: true }, { text: t("lists.new"), icon: icon("plus"), run: makeNew },
  ], { label: t("lists.repeat") });
}

function openNewList(button, kind, used, add) {
  adopt(styles);
  const label = h("input", { class: "fd-input", id: "new-list-label", maxlength: 100, autocomplete: "off", placeholder: t(`lists.example.${kind}`) });
  const members = [{ label: t(`lists.member.${kind}`), type: starting[kind], choices: "" }];
  const rows = h("fieldset");
  const problem = h("p", { class: "fd-error", role: "alert" });
  const draw = (focused = null) => {
    rows.replaceChildren(h("legend", null, t("lists.each")), ...members.map((member, index) => memberRow(members, index, draw, () => popup.settle())), more);
    more.hidden = members.length >= MOST_MEMBERS;
    popup?.settle();
    rows.querySelectorAll(".new-list-value")[focused]?.querySelector("input").focus();
  };
  const more = h("button", { type: "button", class: "fd-button", onClick: () => {
    members.push({ label: "", type: "text", choices: "" });
    draw(members.length - 1);
  } }, t("lists.addMember"));
  const save = () => {
    const fault = faultOf(label.value, members);
    if (fault) {
      problem.textContent = t(fault.isChoice ? "console.template.noChoices" : fault.member === undefined ? "lists.noLabel" : "console.template.noLabel");
      popup.settle();
      const fields = rows.querySelectorAll(".new-list-value")[fault.member];
      return (fields ? fields.querySelectorAll("input")[fault.isChoice ? 1 : 0] : label).focus();
    }
    popup.close();
    add(listOf(label.value.trim(), members, used));
  };
  let popup = null;
  popup = openPopup(button, h("form", { class: "stack new-list", novalidate: true, onSubmit: (event) => {
    event.preventDefault();
    save();
  } },
  h("div", { class: "fd-field" }, h("label", { for: "new-list-label" }, t("lists.label")), label), rows, problem,
  h("button", { type: "submit", class: "fd-button is-primary" }, t("lists.make"))), { label: t("lists.new") });
  draw();
  label.focus();
}

/** One value of an item: what is asked for and what it may be. */
function memberRow(members, index, draw, settle) {
  const member = members[index];
  const number = index + 1;
  const label = h("input", { class: "fd-input", maxlength: 100, autocomplete: "off", "aria-label": t("lists.memberLabel", { number }), value: member.label });
  label.addEventListener("input", () => { member.label = label.value; });
  const type = h("select", { class: "fd-input", "aria-label": t("lists.memberType", { number }) }, valueTypes.map((one) => h("option", { value: one }, t(`console.type.${one}`))));
  type.value = member.type;
  const choices = h("input", {
    class: "fd-input", autocomplete: "off", "aria-label": t("lists.memberChoices", { number }), placeholder: t("console.choicesHint"),
    value: member.choices, hidden: member.type !== "choice",
  });
  choices.addEventListener("input", () => { member.choices = choices.value; });
  type.addEventListener("change", () => {
    member.type = type.value;
    choices.hidden = member.type !== "choice";
    settle();
  });
  const remove = iconButton("close", t("lists.removeMember", { number }), () => {
    members.splice(index, 1);
    draw(Math.min(index, members.length - 1));
  }, "cp-small");
  remove.disabled = members.length === 1;
  return h("div", { class: "new-list-value", role: "group", "aria-label": t("lists.memberNumber", { number }) }, label, type, remove, choices);
}

/** What is missing: nothing of a member for the list's own label. */
function faultOf(label, members) {
  if (!label.trim()) return {};
  for (const [member, one] of members.entries()) {
    if (!one.label.trim()) return { member };
    if (one.type === "choice" && !choicesOf(one.choices).length) return { member, isChoice: true };
  }
  return null;
}

function listOf(label, members, used) {
  const names = [];
  return {
    name: valueName(label, used, "list"), label, type: "list", required: true,
    members: members.map(({ label: words, type, choices }) => {
      const name = memberName(words, names);
      names.push(name);
      return { name, label: words.trim(), type, required: true, ...(type === "choice" ? { choices: choicesOf(choices) } : {}) };
    }),
  };
}

/**
 * Another value of each item, as the template knows it.
 * @param {{name: string, members: {name: string}[]}} list
 * @param {{label: string, type: string}} member
 */
export function memberOf({ name, members }, member) {
  return { ...member, name: `${name}.${memberName(member.label, members.map((one) => one.name.slice(name.length + 1)))}` };
}

/** A name among those of an item, which has its place without being asked for it. */
function memberName(label, used) {
  const name = valueName(label, used);
  return name === POSITION ? valueName(label, [...used, POSITION]) : name;
}

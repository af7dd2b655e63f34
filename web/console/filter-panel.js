import { adopt, h, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { SteadyList } from "../lib/steady-list.js";
import { viewNamed } from "./inbox-views.js";
import { assigneeOf, dueMinutes, isByWait, isDueSoon, isOldest, languageOf, MOST_ATTRIBUTES, MOST_LABELS, narrowings, stateOf, wholeList } from "./list-filter.js";
import { dueWithinWords, languageName } from "./narrowing-words.js";
import { mayAnywhere } from "./permissions.js";
import { priorities, priorityMark } from "./priority.js";
import { searchFault } from "./search-words.js";

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

const styles = sheet(`
.fd-popup.filter-popup { width: 300px; padding: 14px; }
.filter-form { display: grid; gap: 12px; }
.filter-form fieldset { display: flex; flex-wrap: wrap; gap: 6px; min-width: 0; margin: 0; padding: 0; border: 0; }
.filter-form legend { padding: 0 0 4px; }
.filter-labels { max-height: 148px; overflow-y: auto; }
.filter-more { display: grid; gap: 12px; }
.filter-more summary { color: var(--fd-ink-2); cursor: pointer; }
.filter-more[open] summary { margin-bottom: 12px; }
.filter-more .fd-field + .fd-field { margin-top: 12px; }
.filter-attribute { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 6px; }
.filter-actions { display: flex; flex-wrap: wrap; gap: 8px; }
.filter-choice { position: relative; display: inline-flex; align-items: center; gap: 6px; min-height: 28px; max-width: 100%; padding: 2px 10px; border: 1px solid var(--fd-line-strong);
  border-radius: var(--fd-radius-full); color: var(--fd-ink-2); cursor: pointer; }
.filter-choice .label-dot { margin: 0; }
.filter-choice span { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.filter-choice:has(:checked) { border-color: var(--fd-accent); background: var(--fd-accent-soft); color: var(--fd-ink); }
.filter-choice:has(:focus-visible) { outline: 2px solid var(--fd-focus); outline-offset: 1px; }
.filter-choice:has(:disabled) { opacity: 0.5; cursor: default; }
.filter-choice input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: inherit; }
@media (max-width: 720px) { .filter-choice { min-height: 44px; } }
`);

/**
 * Opens what narrows the list; each choice is applied at once.
 * @param {HTMLElement} anchor
 * @param {import("./desk-state.js").DeskState} state
 * @param {(filter: import("./list-filter.js").ListFilter) => void} apply
 * @param {() => void} save keeps what the list shows as a view
 */
export async function openFilterPanel(anchor, state, apply, save) {
  adopt(styles);
  // No form: each field is passed on by itself, and nothing is ever submitted.
  const form = h("div", { class: "filter-form" });
  const popup = openPopup(anchor, form, {
    label: t("filter.title"), className: "filter-popup", onClose: () => state.lists.removeEventListener("change", draw),
  });
  if (!popup) return;
  /** A filter that says everything itself leaves the view behind it. */
  const change = (part) => {
    const { filter } = state;
    // Mentions are asked for as a kind of assignee is: the two exclude each other.
    const view = filter.view === "mentions" && !part.assignee && !part.view ? "mentions" : wholeList.view;
    const wanted = part.state ?? stateOf(filter);
    apply({ ...filter, view, assignee: assigneeOf(filter), order: isByWait(filter) ? "wait" : filter.order, ...part,
      state: wanted === viewNamed(view).state ? "" : wanted });
    draw();
  };
  /** Whether the rare conditions are in view; they stay so once opened. */
  let isMore = ["attributes", "language", "channel", "text"].some((name) => state.filter[name].length);
  /** The attribute that was chosen and has no value yet. */
  const begun = { attribute: "" };
  const steady = new SteadyList(form, () => popup.settle());
  const draw = () => steady.draw(() => {
    isMore ||= Boolean(form.querySelector(".filter-more")?.open);
    return parts(state, change, {
      isMore, begun, save: () => {
        popup.close();
        save();
      },
    });
  });
  state.lists.addEventListener("change", draw);
  draw();
  form.querySelector("select")?.focus();
}

function parts(state, change, { isMore, begun, save }) {
  const { filter, lists, session } = state;
  const businesses = filter.business ? [filter.business] : session.businesses.map((one) => one.id);
  const of = (name) => businesses.flatMap((id) => lists[name](id));
  // An auditor has no conversations.
  const people = new Map(of("members").filter((one) => one.id !== session.agent.id && (one.assignable !== false || one.id === assigneeOf(filter)))
    .map((one) => [one.id, one.name]));
  const teams = of("teams").filter((one) => !one.retired || one.id === filter.team);
  const labels = of("labels").filter((one) => !one.retired || filter.labels.includes(one.id));
  const toggled = (name, value) => (filter[name].includes(value) ? filter[name].filter((one) => one !== value) : [...filter[name], value]);
  return [
    choice("state", t("customer.state"), ["open", "pending", "snoozed", "closed", "any"].map((one) => [one, t(`console.state.${one}`)]), stateOf(filter),
      (value) => change({ state: value, due: "", ...value === "open" || filter.order !== "wait" ? {} : { order: "" } })),
    choice("assignee", t("console.assignee"), [["", t("filter.anybody")], ["me", t("filter.me")], ["none", t("console.unassigned")], ["bot", t("console.view.withBot")], ...people],
      assigneeOf(filter), (value) => change({ assignee: value })),
    teams.length ? choice("team", t("customer.team"), [["", t("filter.anyTeam")], ["none", t("filter.noTeam")], ...teams.map((one) => [one.id, one.name])],
      filter.team, (value) => change({ team: value })) : null,
    h("fieldset", null, h("legend", { class: "fd-label" }, t("customer.priority")), priorities.map((one) => check("priority", one, filter.priorities.includes(one), false,
      () => change({ priorities: toggled("priorities", one) }), priorityMark(one, { isSaid: true }), t(`customer.priority.${one}`)))),
    labels.length ? h("fieldset", { class: "filter-labels" }, h("legend", { class: "fd-label" }, t("customer.labels")), labels.map((one) => check("label", one.id,
      filter.labels.includes(one.id), !filter.labels.includes(one.id) && filter.labels.length >= MOST_LABELS,
      () => change({ labels: toggled("labels", one.id) }), h("i", { class: "label-dot", style: { "--label": one.colour } }), one.name))) : null,
    choice("due", t("filter.due"), [["", t("filter.anyDue")], ...[...new Set([...dueMinutes, ...filter.due ? [filter.due] : []])]
      .sort((one, other) => Number(one) - Number(other)).map((one) => [one, dueWithinWords(one)])],
    filter.due, (value) => change({ due: value, ...value ? { state: "", order: "" } : {} })),
    isDueSoon(filter) ? null : choice("order", t("filter.order"), [["", t("console.order.newest")], ["oldest", t("console.order.oldest")],
      ...stateOf(filter) === "open" ? [["wait", t("console.order.wait")]] : []], isByWait(filter) ? "wait" : isOldest(filter) ? "oldest" : "",
      (value) => change({ order: value })),
    h("details", { class: "more filter-more", open: isMore }, h("summary", null, t("filter.more")),
      attributeChoice(state, of("attributes"), begun, change),
      choice("language", t("filter.language"), [["", t("filter.anyLanguage")], ...languagesOf(state).map((one) => [one, languageName(one)])],
        filter.language, (value) => change({ language: value })),
      choice("channel", t("filter.channel"), ["", "phone", "upstream"].map((one) => [one, t(one ? `console.channel.${one}` : "filter.anyChannel")]),
        filter.channel, (value) => change({ channel: value })),
      textField("text", t("filter.text"), filter.text, (value) => change({ text: value }))),
    h("div", { class: "filter-actions" },
      narrowings(filter).length || filter.order ? h("button", {
        type: "button", class: "fd-button", onClick: () => change({ ...wholeList, state: "open", business: filter.business }),
      }, t("filter.reset")) : null,
      mayAnywhere(session, "views.write") ? h("button", { type: "button", class: "fd-button", onClick: save }, t("filter.save")) : null),
  ];
}

/** The languages of the customers that were read, and the chosen one. */
function languagesOf(state) {
  const known = state.store.rows().map((one) => languageOf(one.customer?.locale)).filter((one) => /^[a-z]{2,8}$/.test(one));
  return [...new Set(["en", "ja", ...known, ...state.filter.language ? [state.filter.language] : []])].sort();
}

/** One more attribute and its value; those that are chosen are above the list. */
function attributeChoice(state, definitions, begun, change) {
  const { attributes } = state.filter;
  const offered = definitions.filter((one) => one.of === "conversation" && !one.retired && !attributes.some(([key]) => key === one.key));
  if (!offered.length || attributes.length >= MOST_ATTRIBUTES) return null;
  const which = h("select", { class: "fd-input", id: "filter-attribute", name: "attribute", onChange: () => draw()?.focus() },
    [["", t("filter.anyValue")], ...offered.map((one) => [one.key, one.name])].map(([value, text]) => h("option", { value, selected: value === begun.attribute }, text)));
  const draw = () => {
    const one = offered.find((definition) => definition.key === which.value);
    begun.attribute = one?.key ?? "";
    const value = one && valueInput(one, (given) => {
      begun.attribute = "";
      change({ attributes: [...attributes, [one.key, given]] });
    });
    which.nextElementSibling?.remove();
    if (value) which.after(value);
    return value;
  };
  const box = h("div", { class: "filter-attribute" }, which);
  draw();
  return h("div", { class: "fd-field" }, h("label", { for: which.id }, t("filter.attribute")), box);
}

function valueInput({ name, type, choices }, take) {
  const label = t("filter.valueOf", { name });
  if (type === "choice") {
    const select = h("select", { class: "fd-input", name: "attribute-value", "aria-label": label, onChange: () => select.value && take(select.value) },
      ["", ...choices].map((one) => h("option", { value: one }, one)));
    return select;
  }
  const input = h("input", {
    class: "fd-input", name: "attribute-value", type: { number: "number", date: "date" }[type] ?? "text", step: type === "number" ? "any" : null,
    maxlength: 200, "aria-label": label, onChange: () => input.value.trim() && take(type === "number" ? Number(input.value) : input.value.trim()),
  });
  return input;
}

function textField(name, label, value, choose) {
  const problem = h("p", { class: "fd-error", id: `filter-${name}-problem`, role: "alert" });
  const take = () => {
    const words = input.value.trim();
    const fault = words && searchFault(words);
    problem.textContent = fault ? t(fault) : "";
    input.setAttribute("aria-invalid", String(Boolean(fault)));
    if (!fault) choose(words);
  };
  const input = h("input", {
    class: "fd-input", id: `filter-${name}`, name, value, maxlength: 200, "aria-describedby": problem.id, onChange: take,
  });
  return h("div", { class: "fd-field" }, h("label", { for: input.id }, label), input, problem);
}

function choice(name, label, pairs, value, choose, isOff = false) {
  const select = h("select", { class: "fd-input", id: `filter-${name}`, name, disabled: isOff, onChange: () => choose(select.value) },
    pairs.map(([one, text]) => h("option", { value: one, selected: one === value }, text)));
  return h("div", { class: "fd-field" }, h("label", { for: select.id }, label), select);
}

function check(name, value, isChecked, isOff, toggle, mark, text) {
  return h("label", { class: "filter-choice" }, h("input", { type: "checkbox", name, value, checked: isChecked, disabled: isOff, onChange: toggle }), mark, h("span", null, text));
}

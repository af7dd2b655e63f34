/** Everything that the palette offers: actions, times, people, templates, places. Each command has a text and what it runs. */
import { api } from "../lib/api.js";
import { summaryOf } from "../lib/erased.js";
import { languages, setLanguage, t } from "../lib/i18n.js";
import { availabilities } from "../lib/profile-menu.js";
import { refusalSentence } from "../lib/refusals.js";
import { setTheme, themes } from "../lib/theme.js";
import { showToast } from "../lib/toast.js";
import { shownMessage } from "./conversation-store.js";
import { filterOf } from "./list-filter.js";
import { customerName } from "./names.js";
import { may, mayAnywhere } from "./permissions.js";
import { sectionsFor, writeRoute } from "./routes.js";
import { actionWords, keyOf, offeredActions } from "./shortcuts.js";
import { choiceAside, snoozeChoices } from "./snooze.js";

/** @typedef {{id: string, text: string, run: () => void, key?: string, aside?: string}} Command */

/**
 * What can be done now.
 * @param {any} workspace
 * @param {{templates: any[], members: any[], macros: any[], found: any[]}} read what was read of the server for the open conversation and the words
 * @returns {Command[]}
 */
export function collectCommands(workspace, { templates, members, macros, found }) {
  const { state } = workspace;
  return [
    ...actions(workspace), ...savedViews(workspace), ...state.open ? ofConversation(workspace, templates, members, macros) : [], ...places(workspace), ...presence(workspace), ...looks(workspace),
    ...people(workspace, found),
  ];
}

function actions(workspace) {
  const { session, open } = workspace.state;
  const possible = offeredActions(session, open?.conversation).filter((one) => !["next", "previous"].includes(one.id) && (!one.needsConversation || open));
  // What concerns the open conversation is what the palette was opened for.
  return [...possible.filter((one) => one.needsConversation), ...possible.filter((one) => !one.needsConversation)].map(
    (one) => ({ id: one.id, text: actionWords(one), key: keyOf(one.id), run: () => one.run(workspace) }));
}

/** The saved views, and what can be done to the open one. */
function savedViews(workspace) {
  const { views, filter, session } = workspace.state;
  const open = views.named(filter.saved);
  return [
    ...views.all.map((one) => ({
      id: `saved.${one.id}`, text: t("console.palette.view", one), aside: one.isMore ? `${one.count}+` : String(one.count),
      run: () => workspace.openView(filterOf(one)),
    })),
    ...open && mayAnywhere(session, "views.write") ? [{ id: "saved.menu", text: t("console.saved.menu", open), run: () => workspace.list.openSavedMenu() }] : [],
  ];
}

function ofConversation({ view, state }, templates, members, macros) {
  const me = state.session.agent.id;
  const { assignee, business } = state.open.conversation;
  const own = state.session.businesses.find((one) => one.id === business);
  return [
    ...may(own, "conversations.handle") ? changes(view, me, assignee, members, macros) : [],
    ...may(own, "messages.send") ? templates.map((one) => ({
      id: `template.${one.name}`, text: `${t("console.palette.template")} · ${one.title || one.name}`, aside: `/${one.name}`, run: () => view.openTemplate(one),
    })) : [],
  ];
}

/** What is done to the open conversation. */
function changes(view, me, assignee, members, macros) {
  return [
    ...snoozeChoices(new Date()).map((choice) => ({
      id: choice.text, text: `${t("console.snooze")} ${t(choice.text)}`, aside: choiceAside(choice, new Date()),
      run: () => view.want({ state: "snoozed", snoozedUntil: choice.until.toISOString() }),
    })),
    { id: "snooze.answer", text: `${t("console.snooze")} ${t("console.snooze.answer")}`, run: () => view.want({ state: "snoozed" }) },
    ...members.filter((one) => one.assignable !== false && !one.invited && one.id !== me && one.id !== assignee?.id).map((one) => ({
      id: `assign.${one.id}`, text: t("console.palette.assign", { name: one.name }), run: () => view.want({ assignee: one.id }),
    })),
    ...macros.map((one) => ({ id: `macro.${one.id}`, text: `${t("console.section.macros")} · ${one.name}`, run: () => view.head.runMacro(one) })),
  ];
}

function places(workspace) {
  const { session } = workspace.state;
  return [
    ...sectionsFor(session).map((section) => ({
      id: `settings.${section}`, text: `${t("console.settings")} · ${t(`console.section.${section}`)}`,
      run: () => workspace.go(writeRoute({ name: "settings", section })),
    })),
    ...[["businesses", "entry-links", "console.entryLinks"], ["hours", "automatic-answers", "console.automaticAnswers"]].map(([section, part, words]) => ({
      id: `settings.${part}`, text: `${t("console.settings")} · ${t(words)}`, run: () => workspace.go(`${writeRoute({ name: "settings", section })}#${part}`),
    })),
    ...["notices", "keys"].map((part) => ({
      id: `settings.me.${part}`, text: `${t("console.settings")} · ${t(`console.${part}`)}`,
      run: async () => {
        await workspace.go(writeRoute({ name: "settings", section: "me" }));
        workspace.page.querySelector(part === "keys" ? "key-settings" : "notification-settings")?.scrollIntoView();
      },
    })),
    ...mayAnywhere(session, "sandbox.use") ? [{ id: "sandbox", text: t("console.sandbox"), run: () => { location.href = "/sandbox"; } }] : [],
    ...session.businesses.length > 1 ? [{ id: "", name: t("console.everyBusiness") }, ...session.businesses].map((one) => ({
      id: `business.${one.id}`, text: `${t("console.business")} · ${one.name}`, run: () => workspace.openView({ business: one.id }),
    })) : [],
  ];
}

function presence({ state }) {
  if (!mayAnywhere(state.session, "conversations.handle")) return [];
  return availabilities.map((one) => ({
    id: `presence.${one}`, text: `${t("presence.title")} · ${t(`presence.${one}`)}`,
    run: () => state.availability.choose(one).catch((problem) => showToast(refusalSentence(problem))),
  }));
}

function looks(workspace) {
  return [
    ...themes.map((one) => ({
      id: `theme.${one}`, text: `${t("shared.theme")} · ${t(`shared.theme.${one}`)}`, run: () => {
        setTheme(one);
        workspace.dispatchEvent(new CustomEvent("theme-change", { bubbles: true }));
      },
    })),
    ...Object.entries(languages).map(([code, name]) => ({
      id: `language.${code}`, text: `${t("shared.language")} · ${name}`, run: () => setLanguage(code),
    })),
    { id: "shared.signOut", text: t("shared.signOut"), run: () => workspace.signOut() },
  ];
}

/** Customers of the rows, and those whom the server found by their name. */
function people(workspace, found) {
  const rows = workspace.state.rows;
  const known = new Set(rows.map((one) => one.id));
  return [...rows, ...found.filter((one) => !known.has(one.id))].map((one) => ({
    id: one.id, text: `${customerName(one)} · ${summaryOf(shownMessage(one))}`,
    run: () => workspace.go(writeRoute({ name: "inbox", conversation: one.id })),
  }));
}

/** The templates, the members and the macros of a business; what cannot be read is not offered. @param {string} business @param {import("./business-lists.js").BusinessLists} lists */
export async function readForPalette(business, lists) {
  const [templates, members, macros] = await Promise.all([
    api.getAll("/api/templates", { query: { business } }).catch(() => []),  // Safe: the picker of templates says why.
    lists.read(business, "members"),
    api.get(`/api/businesses/${business}/macros`).catch(() => ({ data: [] })),  // Safe: the menu of macros says why.
  ]);
  return { templates, members, macros: macros.data.filter((one) => !one.retired) };
}

/** Customers of a name, whatever list they are in. @param {string} words @param {string} business */
export async function findCustomers(words, business) {
  const page = await api.get("/api/search", { query: { q: words, in: "customers", business } }).catch(() => null);  // Safe: those of the rows are found.
  return page?.conversations ?? [];
}

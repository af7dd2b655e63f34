/** The actions of the keys; sheet, palette and settings are drawn from the same table. */
import { kinds } from "../composer/kinds.js";
import { t } from "../lib/i18n.js";
import { inboxViews } from "./inbox-views.js";
import { keyOfAction, pressOf } from "./key-bindings.js";
import { isOffered, WRITING } from "./permissions.js";
import { preferences } from "./preferences.js";
import { writeRoute } from "./routes.js";

/** The second of two keys is awaited for so long, in milliseconds. */
const SECOND_KEY_MILLISECONDS = 1_500;

/** The groups of actions, in their order. */
export const actionGroups = Object.freeze(["list", "conversation", "write", "go"]);

/** The second key of each kind after `c`. */
const KIND_KEYS = {
  text: "x", quickReply: "q", list: "l", time: "t", payment: "p", richLink: "k", app: "a", myApp: "m", raw: "r", form: "f", authentication: "s",
};

/**
 * @typedef {{id: string, group: string, key: string, run: (desk: any, when?: number) => void, words?: () => string, isEverywhere?: boolean, isHeld?: boolean,
 *   needsConversation?: boolean, permission?: string|string[]}} DeskAction `permission`: what it needs, one of several; `words`: where they are not the text `console.key.` with the id; `isEverywhere`:
 *   on pages of settings too; `isHeld`: again and again while its key is held; `when`: the time of the press
 */

/** Views that came later have the keys behind those of the others. @param {import("./inbox-views.js").InboxView} view */
const rank = ({ id }) => ["due", "withBot"].indexOf(id);

/** @type {readonly DeskAction[]} */
export const shortcuts = Object.freeze([
  { id: "next", group: "list", key: "j", isHeld: true, run: (desk) => desk.list.openFound(1) || desk.move(1) },
  { id: "previous", group: "list", key: "k", isHeld: true, run: (desk) => desk.list.openFound(-1) || desk.move(-1) },
  { id: "select", group: "list", key: "x", run: (desk) => desk.list.toggleSelected() },
  { id: "saveView", permission: "views.write", group: "list", key: "S", run: (desk) => desk.list.saveView() },
  { id: "search", group: "list", key: "s", run: (desk) => desk.list.focusSearch() },
  ...inboxViews.toSorted((one, other) => rank(one) - rank(other)).map(({ id }, index) => ({
    id: `view.${id}`, group: "list", key: String((index + 1) % 10), words: () => `${t("console.inbox")} · ${t(`console.view.${id}`)}`,
    run: (desk) => desk.openView({ view: id }),
  })),
  orSelected("close", { id: "close", permission: "conversations.handle", needsConversation: true, group: "conversation", key: "e", run: toggleClosed }),
  orSelected("assign", inOpen({ id: "assign", permission: "conversations.handle", group: "conversation", key: "a", run: (desk) => desk.view.assignToMe() })),
  inOpen({ id: "assignee", permission: "conversations.handle", group: "conversation", key: "A", run: (desk) => desk.view.openMenu("assignee") }),
  inOpen({ id: "unassign", permission: "conversations.handle", group: "conversation", key: "U", run: (desk) => desk.view.want({ assignee: null }) }),
  orSelected("snooze", inOpen({ id: "snooze", permission: "conversations.handle", group: "conversation", key: "z", run: (desk) => desk.view.openMenu("snooze") })),
  orSelected("labels", inOpen({ id: "labels", permission: "conversations.handle", group: "conversation", key: "l", run: (desk) => desk.view.openMenu("labels") })),
  orSelected("priority", inOpen({ id: "priority", permission: "conversations.handle", group: "conversation", key: "p", run: (desk) => desk.view.openMenu("priority") })),
  inOpen({ id: "pending", permission: "conversations.handle", group: "conversation", key: "P", run: (desk) => desk.view.want({ state: "pending" }) }),
  inOpen({ id: "takeOver", permission: "conversations.handle", group: "conversation", key: "t", run: (desk) => desk.view.takeOver() }),
  { id: "undo", permission: WRITING, group: "conversation", key: "u", run: (desk) => desk.view.undo() },
  inOpen({ id: "find", group: "conversation", key: "f", words: () => t("console.find"), run: (desk) => desk.view.openFind() }),
  inOpen({ id: "side", group: "conversation", key: "]", run: (desk) => desk.view.toggleSide() }),
  inOpen({ id: "preview", group: "conversation", key: "v", run: (desk) => desk.view.preview() }),
  inOpen({ id: "reply", permission: WRITING, group: "write", key: "r", run: (desk) => desk.view.focusComposer() }),
  inOpen({ id: "note", permission: "conversations.handle", group: "write", key: "n", run: (desk) => desk.view.startNote() }),
  inOpen({ id: "macro", permission: "conversations.handle", group: "conversation", key: "m", words: () => t("console.section.macros"), run: (desk) => desk.view.openMenu("macros") }),
  inOpen({ id: "template", permission: "messages.send", group: "write", key: "/", run: (desk) => desk.view.openTemplates() }),
  ...kinds.map(({ kind }) => inOpen({
    id: `kind.${kind}`, permission: "messages.send", group: "write", key: KIND_KEYS[kind] ? `c ${KIND_KEYS[kind]}` : "",
    words: () => t("console.key.compose", { kind: t(`composer.kind.${kind}`) }), run: (desk) => desk.view.openKind(kind),
  })),
  { id: "inbox", group: "go", key: "g i", isEverywhere: true, run: (desk) => desk.go(writeRoute({ name: "inbox", conversation: null })) },
  { id: "templates", group: "go", key: "g t", isEverywhere: true, run: (desk) => desk.go(writeRoute({ name: "templates" })) },
  { id: "reports", group: "go", key: "g r", isEverywhere: true, run: (desk) => desk.go(writeRoute({ name: "reports" })) },
  { id: "settings", group: "go", key: "g s", isEverywhere: true, run: (desk) => desk.go(writeRoute({ name: "settings", section: "me" })) },
  { id: "sheet", group: "go", key: "?", isEverywhere: true, run: (desk) => desk.showKeys() },
]);

/** An action on the open conversation waits for one that is still being read. */
function inOpen({ run, ...action }) {
  return { ...action, needsConversation: true, run: (desk) => desk.withConversation(run) };
}

/** What is selected in the list comes before the open conversation. @param {string} name an action of `bulk-bar` @param {DeskAction} action */
function orSelected(name, action) {
  return { ...action, run: (desk, when) => desk.list.runSelected(name) || action.run(desk, when) };
}

/** Closes the open conversation or opens it again, as it was seen when the key was pressed and not as it is once it is read. */
function toggleClosed(desk, when) {
  const wish = desk.view.closeWish(when);
  desk.withConversation(({ view }) => view.want(wish ?? view.closeWish()));
}

/**
 * The actions that the signed-in person may do now: with the open conversation those that its business permits.
 * @param {any} session @param {any} [open] the open conversation
 */
export function offeredActions(session, open = null) {
  const business = open && session.businesses.find((one) => one.id === open.business);
  return shortcuts.filter((one) => isOffered(one, session, one.needsConversation ? business : null));
}

/** @param {DeskAction} action */
export function actionWords(action) {
  return action.words?.() ?? t(`console.key.${action.id}`);
}

/** The key that runs an action now; "" for none. @param {string} id */
export function keyOf(id) {
  const action = shortcuts.find((one) => one.id === id);
  return action ? keyOfAction(action, preferences().keys) : "";
}

/** What names an action's key on its control, for `h`; `drawKeyHints` follows a changed key. @param {string} id */
export function keyHint(id) {
  return { "data-key-of": id, "aria-keyshortcuts": keyOf(id) || null };
}

/** Names the keys on all controls of a part of the page, as they are now. @param {Element} root */
export function drawKeyHints(root) {
  for (const node of root.querySelectorAll("[data-key-of]")) {
    const key = keyOf(node.dataset.keyOf);
    if (node instanceof HTMLElement && node.tagName === "KBD") {
      node.textContent = key;
      node.hidden = !key;
    } else if (key) {
      node.setAttribute("aria-keyshortcuts", key);
    } else {
      node.removeAttribute("aria-keyshortcuts");
    }
  }
}

/**
 * Listens for the keys, never inside a field and never with Alt (which writes letters in many
 * languages), and for mod+K everywhere.
 * @param {any} workspace
 */
export function makeShortcuts(workspace) {
  let before = "";
  let begunAt = 0;
  return (event) => {
    if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      workspace.togglePalette();
      return;
    }
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "f" && findsItself(workspace)) {
      event.preventDefault();
      workspace.view.openFind();
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing || event.key === "Shift") return;
    if (workspace.keepForPalette(event.key)) return event.preventDefault();
    if (event.key === "Escape" && !event.defaultPrevented) leaveField(workspace, event);
    if (event.defaultPrevented || isField(event.composedPath()[0]) || isInDialog(event)) return;
    if (event.key === "Escape" && workspace.isInbox && workspace.list.clearSelection()) return event.preventDefault();
    // By when it was pressed: a busy page comes to it later.
    if (event.timeStamp - begunAt > SECOND_KEY_MILLISECONDS) before = "";
    const found = pressOf(offeredNow(workspace), preferences().keys, before, event.key);
    [before, begunAt] = [found?.begun ?? "", event.timeStamp];
    if (!workspace.isInbox && !before && !found?.action.isEverywhere) return;
    if (!found && !workspace.isWaiting) return;
    event.preventDefault();
    if (!found?.action || workspace.isWaiting || (event.repeat && !found.action.isHeld)) return;
    found.action.run(workspace, event.timeStamp);
  };
}

/** What a key may do: of a conversation that is still being read the business is not known yet. */
function offeredNow({ state }) {
  return offeredActions(state.session, state.opening ? null : state.open?.conversation);
}

/** Whether the browser's search would miss a part of the open conversation; pressed in ours, its key is the browser's. */
function findsItself({ isInbox, view, state }) {
  return !preferences().keys.isOff && isInbox && state.open !== null && !document.querySelector("dialog[open]")
    && view.thread?.isPart === true && !view.find?.isInUse;
}

/** Escape leaves a field for the part of the page around it, so that single keys work again. */
function leaveField(workspace, event) {
  const [node] = event.composedPath();
  if (!isField(node) || node.closest("dialog")) return;
  node.blur();
  workspace.focusPart([workspace.view, workspace.list].find((part) => event.composedPath().includes(part)) ?? null);
}

/** Dialogs are in the page and in the shadow roots of elements, such as the viewer of pictures. One that has just closed may keep the focus for a moment. */
function isInDialog(event) {
  return document.querySelector("dialog[open]") !== null
    || event.composedPath().some((node) => node instanceof HTMLDialogElement && node.open);
}

/** A field of a dialog that has just closed may keep the focus for a short time, invisibly. */
function isField(node) {
  return node instanceof HTMLElement && node.checkVisibility()
    && (node.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName)
      || node.getAttribute("role") === "tab");
}

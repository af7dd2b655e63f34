/** The actions of the keys; the sheet (`?`) is drawn from the same table. */
export const shortcuts = Object.freeze([
  { key: "j", text: "console.key.next", run: (desk) => desk.move(1) },
  { key: "k", text: "console.key.previous", run: (desk) => desk.move(-1) },
  { key: "s", text: "console.key.search", run: (desk) => desk.list.focusSearch() },
  { key: "r", text: "console.key.reply", run: inOpen((desk) => desk.view.focusComposer()) },
  { key: "n", text: "console.key.note", run: inOpen((desk) => desk.view.startNote()) },
  { key: "e", text: "console.key.close", run: inOpen((desk) => desk.view.toggleClosed()) },
  { key: "a", text: "console.key.assign", run: inOpen((desk) => desk.view.assignToMe()) },
  { key: "z", text: "console.key.snooze", run: inOpen((desk) => desk.view.openSnooze()) },
  { key: "/", text: "console.key.template", run: inOpen((desk) => desk.view.openTemplates()) },
  { key: "]", text: "console.key.side", run: inOpen((desk) => desk.view.toggleSide()) },
  { key: "?", text: "console.key.sheet", run: (desk) => desk.sheet.show() },
]);

/**
 * Listens for single keys, never inside a field and never with Alt (which writes letters in many
 * languages), and for mod+K everywhere.
 * @param {any} workspace
 */
export function makeShortcuts(workspace) {
  return (event) => {
    if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      workspace.palette.toggle();
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && !event.defaultPrevented) leaveField(event.composedPath()[0]);
    if (event.defaultPrevented || isField(event.composedPath()[0])) return;
    if (isInDialog(event) || workspace.desk.hidden) return;
    const found = shortcuts.find((one) => one.key === event.key);
    if (!found && !workspace.isWaiting) return;
    event.preventDefault();
    if (!workspace.isWaiting) found.run(workspace);
  };
}

/** Escape leaves a field, so that single keys work again. */
function leaveField(node) {
  if (isField(node) && !node.closest("dialog")) node.blur();
}

/** Dialogs are in the page and in the shadow roots of elements, such as the viewer of pictures. */
function isInDialog(event) {
  return document.querySelector("dialog[open]") !== null
    || event.composedPath().some((node) => node instanceof HTMLDialogElement);
}

/** What acts on the open conversation waits for one that is still being read. */
function inOpen(work) {
  return (desk) => desk.withConversation(work);
}

/** A field of a dialog that has just closed may keep the focus for a short time, invisibly. */
function isField(node) {
  return node instanceof HTMLElement && node.checkVisibility()
    && (node.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName)
      || node.getAttribute("role") === "tab");
}

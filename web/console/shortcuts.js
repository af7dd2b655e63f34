/** What the keys do; the sheet (`?`) is drawn from the same table. */
export const shortcuts = Object.freeze([
  { key: "j", text: "console.key.next", run: (desk) => desk.move(1) },
  { key: "k", text: "console.key.previous", run: (desk) => desk.move(-1) },
  { key: "r", text: "console.key.reply", run: (desk) => desk.view.focusComposer() },
  { key: "n", text: "console.key.note", run: (desk) => desk.view.startNote() },
  { key: "e", text: "console.key.close", run: (desk) => desk.view.toggleClosed() },
  { key: "a", text: "console.key.assign", run: (desk) => desk.view.assignToMe() },
  { key: "/", text: "console.key.template", run: (desk) => desk.view.openTemplates() },
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
      workspace.palette.show();
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (event.defaultPrevented || isField(event.composedPath()[0])) return;
    if (document.querySelector("dialog[open]") || workspace.desk.hidden) return;
    const found = shortcuts.find((one) => one.key === event.key);
    if (!found) return;
    event.preventDefault();
    found.run(workspace);
  };
}

function isField(node) {
  return node instanceof HTMLElement
    && (node.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName)
      || node.getAttribute("role") === "tab");
}

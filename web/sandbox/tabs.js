/** What the two lists of tabs of the sandbox share. */

/** @param {HTMLElement} tab @param {boolean} isChosen */
export const markTab = (tab, isChosen) => {
  tab.setAttribute("aria-selected", String(isChosen));
  tab.tabIndex = isChosen ? 0 : -1;
};

/** Arrow keys move between the tabs of a list and choose. @param {any} event */
export function arrowKeys(event) {
  const tabs = [...event.currentTarget.querySelectorAll('[role="tab"]')];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = tabs.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.click();
  next.focus();
}

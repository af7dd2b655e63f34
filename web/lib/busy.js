/**
 * Runs what a button asked for; its presses meanwhile ask for nothing. A button that is disabled would lose the focus of who
 * works by keyboard.
 * @param {Element} button
 * @param {() => Promise<any>} work handles its own refusals
 */
export async function whileBusy(button, work) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

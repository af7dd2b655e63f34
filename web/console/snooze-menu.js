import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { openMenu } from "../lib/popup.js";
import { choiceAside, snoozeChoices } from "./snooze.js";

/**
 * Opens the menu of times to come back at, and of the states that are neither open nor closed.
 * @param {HTMLElement} anchor
 * @param {{state?: string, want: (change: Record<string, any>) => void}} options `state`: that of the conversation; none
 *   for several
 */
export function openSnoozeMenu(anchor, { state, want }) {
  const until = (date) => want({ state: "snoozed", snoozedUntil: date.toISOString() });
  openMenu(anchor, [
    ...state === "open" ? [] : [{ text: t("console.markOpen"), run: () => want({ state: "open" }) }, { isLine: true }],
    ...snoozeChoices(new Date()).map((choice) => ({ text: t(choice.text), aside: choiceAside(choice, new Date()), run: () => until(choice.until) })),
    { text: t("console.snooze.answer"), run: () => want({ state: "snoozed" }) },
    { text: t("console.snooze.date"), run: () => askDate(anchor, until) },
    ...state === "pending" ? [] : [{ isLine: true }, { text: t("console.markPending"), run: () => want({ state: "pending" }) }],
  ], { label: t("console.snooze") });
}

async function askDate(anchor, choose) {
  (await loadPart(() => import("./snooze-form.js")))?.openSnoozeForm(anchor, choose);
}

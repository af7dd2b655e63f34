import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { openMenu } from "../lib/popup.js";
import { choiceAside, snoozeChoices } from "./snooze.js";

/**
 * Asks when a message is to be sent.
 * @param {HTMLElement} anchor
 * @param {(when: Date) => void} choose
 */
export function askWhen(anchor, choose) {
  openMenu(anchor, [
    ...snoozeChoices(new Date()).map((choice) => ({ text: t(choice.text), aside: choiceAside(choice, new Date()), run: () => choose(choice.until) })),
    { text: t("console.snooze.date"), run: () => askDate(anchor, choose) },
  ], { label: t("composer.later") });
}

async function askDate(anchor, choose) {
  const words = { title: t("composer.later"), day: t("composer.later.day"), time: t("composer.later.time"), set: t("composer.later.set") };
  (await loadPart(() => import("./snooze-form.js")))?.openSnoozeForm(anchor, choose, words);
}

/** What the cards of first steps have in common: how they look, what they follow, a step, and their head. */
import { adopt, h, oncePerFrame, sheet } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { setPreferences } from "./preferences.js";

await registerStrings({ en: () => import("../i18n/en/first-steps.js"), ja: () => import("../i18n/ja/first-steps.js") });

/**
 * Reads a card's steps now and after each message of its business, and draws them in another language.
 * @param {HTMLElement & {state: any, business: any}} card
 * @param {{read: () => void, draw: () => void, signal: AbortSignal}} work
 * @returns {() => void} reads them with the next frame
 */
export function followSteps(card, { read, draw, signal }) {
  adopt(firstStyles);
  const readSoon = oncePerFrame(read);
  card.state.addEventListener("happened", ({ detail }) => {
    if (detail.business === card.business.id && detail.type === "message.accepted") readSoon();
  }, { signal });
  signal.addEventListener("abort", onLanguageChange(draw));
  read();
  return readSoon;
}

/**
 * A step: what is to be done, and while it is not done the way there.
 * @param {string} title
 * @param {string} lead
 * @param {boolean} isDone
 * @param {Node|null} action
 */
export function stepRow(title, lead, isDone, action) {
  return h("li", { class: `step${isDone ? " is-done" : ""}` },
    h("span", { class: "step-mark", "aria-hidden": "true" }, isDone ? icon("check", 15) : null),
    h("div", { class: "step-words" },
      h("strong", null, title, isDone ? h("span", { class: "fd-hidden-text" }, ` (${t("console.first.done")})`) : null), h("p", null, lead)),
    isDone ? null : action);
}

/**
 * A card of first steps with the button that hides all of them for good.
 * @param {HTMLElement} card
 * @param {string} title
 * @param {...any} parts
 */
export function stepsCard(card, title, ...parts) {
  const words = t("console.first.dismiss");
  const dismiss = () => {
    setPreferences({ firstSteps: false });
    (card.closest("start-steps") ?? card).remove();
  };
  return h("section", { class: "first", "aria-labelledby": "first-title" },
    h("header", { class: "first-head" },
      h("h2", { id: "first-title" }, title),
      h("button", { type: "button", class: "fd-button is-plain is-icon", "aria-label": words, title: words, onClick: dismiss }, icon("close", 18))),
    parts);
}

export const firstStyles = sheet(`
.view.is-empty:has(.first) { align-content: start; place-items: start center; overflow-y: auto; gap: 24px; padding: clamp(16px, 6vh, 64px) 24px; }
.first { display: grid; gap: 16px; max-width: 680px; padding: 20px 24px 24px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-lg);
  background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-2); }
.first-head { display: flex; align-items: start; justify-content: space-between; gap: 12px; }
.first-head h2 { font-size: var(--fd-text-xl); }
.first-parts { display: grid; grid-template-columns: minmax(0, 1fr) 232px; gap: 24px; align-items: start; }
.steps { display: grid; gap: 16px; padding: 0; margin: 0; list-style: none; }
.step { display: grid; grid-template-columns: 24px minmax(0, 1fr); gap: 8px 12px; align-items: start; }
.step > .fd-button { grid-column: 2; justify-self: start; gap: 10px; }
.first-head .fd-button { margin: -6px -8px 0 0; }
.step kbd { padding: 0 6px; border: 1px solid currentcolor; border-radius: 4px; background: none; color: inherit; font: 500 var(--fd-text-xs) / 1.5 var(--fd-font); }
.step-mark { display: grid; place-items: center; width: 24px; height: 24px; border: 1.5px solid var(--fd-line-strong); border-radius: 50%; color: var(--fd-ok); }
.step.is-done .step-mark { border-color: var(--fd-ok); background: var(--fd-ok-soft); }
.step.is-done strong { color: var(--fd-ink-2); font-weight: 500; }
.step-words strong { font-weight: 600; }
.step-words p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
.first-code join-code { gap: 12px; }
.first-entry { display: grid; justify-items: center; gap: 12px; text-align: center; }
.first-entry > img { width: 168px; height: 168px; padding: 12px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); background: #fff; }
.first-entry > p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
.first-more { margin: 0; font-size: var(--fd-text-sm); }
.first-more > button { padding: 0; border: 0; background: none; color: var(--fd-accent-text); font: inherit; text-decoration: underline; cursor: pointer; }
.first-code .jc-tile img { width: 144px; }
.first-code .jc-open { white-space: normal; font-size: var(--fd-text-sm); }
@container (max-width: 560px) { .first-parts { grid-template-columns: minmax(0, 1fr); } }
conversation-view { container-type: inline-size; }
/* Where the list has the whole width the steps stand above it, as short as they can be said. */
@media (max-width: 720px) and (min-height: 561px) {
  .desk:not(.has-open):has(.first) { grid-template-rows: auto minmax(0, 1fr); }
  .desk:not(.has-open):has(.first) > conversation-view { display: block; order: -1; max-height: 52dvh; overflow-y: auto; border-bottom: 1px solid var(--fd-line); }
  .view.is-empty:has(.first) { height: auto; padding: 12px; }
  .view.is-empty:has(.first) > .empty-view, .first :is(.step-words p, .step kbd, .jc-tile, .jc-or, .jc-typed, .jc-life, .jc-hint, .first-entry > :is(img, p)) { display: none; }
  .first { gap: 12px; width: 100%; padding: 14px 16px 16px; box-shadow: none; }
  .first-head h2 { font-size: var(--fd-text-lg); }
  .empty-steps { justify-self: stretch; }
  .steps { gap: 10px; }
  .step { grid-template-columns: 24px minmax(0, 1fr) auto; align-items: center; }
  .step > .fd-button { grid-column: 3; }
  .first .jc-open { border-color: var(--fd-line-strong); background: none; color: var(--fd-ink); }
}
`);

import { sheet } from "../lib/dom.js";

/** How the hours of a week, its holidays and the people of an assignment look. */
export const hoursStyles = sheet(`
.hours-form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; min-width: 0; padding: 0; border: 0; justify-items: start; }
.hours-form > * { width: 100%; }
.hours-form > button { width: auto; }
.hours-days, .hours-intervals, .hours-holidays { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.hours-day { display: grid; grid-template-columns: 96px minmax(0, 1fr) auto; gap: 4px 12px; align-items: start; }
.hours-day > .fd-label, .hours-intervals > .fd-help { padding-top: 8px; }
.hours-interval, .hours-holiday { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.hours-interval .fd-pick { width: 118px; }
.hours-interval .is-icon { width: 36px; padding: 0; }
.hours-holiday .fd-pick { width: 170px; }
.hours-holiday > .fd-input { flex: 1 1 140px; width: auto; }
.answer-words { margin: 2px 0 0; padding: 8px 14px; border-radius: 18px; background: var(--fd-bg-sunken); font-size: var(--fd-text-sm); justify-self: start;
  overflow-wrap: anywhere; white-space: pre-line; }
.assignment-people { display: grid; gap: 10px; margin: 0; padding: 0; list-style: none; }
.assignment-person { display: grid; grid-template-columns: auto minmax(0, 1fr) auto 90px 110px 84px; gap: 4px 12px; align-items: center; }
.assignment-person meter { width: 90px; }
@media (max-width: 720px) {
  .assignment-person { grid-template-columns: auto minmax(0, 1fr) auto; }
  .assignment-person meter { display: none; }
  .hours-day { grid-template-columns: minmax(0, 1fr) auto; }
  .hours-intervals { grid-column: 1 / -1; grid-row: 2; }
}
`);

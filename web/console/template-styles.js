import { sheet } from "../lib/dom.js";

/** How templates, their editor and the values of their parameters look. */
export const templateStyles = sheet(`
.template-files .cp-tray { padding: 8px 0 0; }
.template-columns { display: grid; grid-template-columns: minmax(0, 1fr) 340px; gap: 32px; }
.template-columns .stack { max-width: none; }
.template-side { padding: 16px; border-radius: var(--fd-radius-lg); background: var(--fd-bg-sunken);
  align-self: start; position: sticky; top: 16px; display: grid; gap: 12px; }
.template-head { display: flex; align-items: center; justify-content: space-between; gap: 12px; flex-wrap: wrap; }
.template-tools { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-bottom: 12px; }
.template-tools > select { width: auto; }
template-form { display: block; }
.template-panel.cp-panel { padding: 14px; overflow: visible; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); container: composer / inline-size; }
.template-panel :is(p, ul, ol, h3, h4, fieldset) { margin: 0; padding: 0; border: 0; min-width: 0; list-style: none; }
.template-panel :is(button, input, textarea, select) { font: inherit; color: inherit; }
.parameter { display: grid; grid-template-columns: minmax(0, 1fr) 120px minmax(0, 1fr); gap: 8px; align-items: center; }
.parameter.is-automatic { grid-template-columns: max-content minmax(0, 1fr); }
.parameter:not(.is-automatic) > .value-chip { grid-column: 1 / -1; }
.parameter > [aria-label]:nth-child(5), .parameter.is-automatic > :is(.fd-input, .fd-label), .parameter-problem { grid-column: 1 / -1; }
.parameter-part { display: grid; gap: 4px; min-width: 0; }
.parameter-list { display: grid; gap: 8px; min-width: 0; margin: 0; padding: 12px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); }
.parameter-list > legend { display: flex; gap: 8px; align-items: center; padding: 0 4px; }
.parameter-optional { display: flex; gap: 8px; align-items: center; min-height: 32px; }
.value-chip { justify-self: start; padding: 2px 8px; border-radius: var(--fd-radius-full); background: var(--fd-accent-soft); color: var(--fd-accent-text);
  font: 500 var(--fd-text-xs) / 1.6 var(--fd-font-mono); overflow-wrap: anywhere; }
templates-page .nav-row { flex: none; }
.nav-row.is-translation { padding-inline-start: 22px; flex-wrap: wrap; row-gap: 2px; }
.new-value { width: 280px; padding: 8px; }
.parameter .fd-input[hidden] { display: none; }
@media (max-width: 720px) {
  .template-columns { grid-template-columns: minmax(0, 1fr); }
  .parameter { grid-template-columns: 1fr 1fr; }
}
`);

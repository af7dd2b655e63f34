/** Styles of the JSON view and the editor. */
export const jsonStyles = `
json-view { display: flex; flex-direction: column; min-height: 0; min-width: 0; background: var(--fd-bg-raised); color: var(--fd-ink);
  --js-key: var(--fd-code-key); --js-string: var(--fd-code-string); --js-number: var(--fd-code-number); --js-literal: var(--fd-code-literal); --js-mark: var(--fd-ink-3); }
json-editor { --js-key: var(--fd-code-key); --js-string: var(--fd-code-string); --js-number: var(--fd-code-number); --js-literal: var(--fd-code-literal); --js-mark: var(--fd-ink-3); }
.js-head { display: flex; align-items: center; gap: var(--fd-space-2); padding: var(--fd-space-2) var(--fd-space-2) var(--fd-space-2) var(--fd-space-4);
  border-bottom: 1px solid var(--fd-line); flex-wrap: wrap; flex: none; }
.js-head h2 { font-size: var(--fd-text-sm); font-weight: 600; }
.js-size { color: var(--fd-ink-3); font-size: var(--fd-text-xs); font-variant-numeric: tabular-nums; }
.js-shape { display: flex; align-items: center; gap: 6px; color: var(--fd-ink-2); font-size: var(--fd-text-xs); min-width: 0; }
.js-shapes { appearance: none; min-height: var(--fd-control); max-width: 100%; min-width: 0; padding: 0 30px 0 10px; border: 1px solid var(--fd-field-line);
  border-radius: var(--fd-radius-sm); background: var(--fd-bg-raised) var(--fd-arrow) no-repeat right 10px center / 12px; color: var(--fd-ink); font: inherit;
  text-overflow: ellipsis; cursor: pointer; }
.js-losses { flex: none; max-height: 40%; overflow: auto; padding: var(--fd-space-2) var(--fd-space-4); border-top: 1px solid var(--fd-line); font-size: var(--fd-text-xs); }
.js-losses:focus-visible { outline-offset: -2px; }
.js-lost-state { color: var(--fd-ink-2); font-weight: 600; }
.js-lost { list-style: none; }
.js-lost li { padding: 3px 0; overflow-wrap: anywhere; color: var(--fd-ink-2); }
.js-lost code { font-family: var(--fd-font-mono); margin-inline: 6px; }
.js-lost-kind { font-weight: 600; color: var(--fd-ink); }
.js-lost-dropped { color: var(--fd-warn); }
.js-scroll { flex: 1 1 auto; min-height: 0; overflow: auto; padding: var(--fd-space-2) 0; }
.js-scroll:focus-visible { outline-offset: -2px; }
.js-empty { padding: var(--fd-space-4); color: var(--fd-ink-3); font-size: var(--fd-text-sm); }
.js-lines { list-style: none; counter-reset: line; min-width: max-content; }
.js-rest { margin: var(--fd-space-3) var(--fd-space-4); }
.js-line { counter-increment: line; display: flex; font: var(--fd-text-xs) / 1.6 var(--fd-font-mono); padding-inline-end: var(--fd-space-4); }
.js-line::before { content: counter(line); position: sticky; left: 0; flex: none; width: 46px; padding-inline-end: 12px; text-align: end;
  color: var(--fd-ink-3); background: var(--fd-bg-raised); user-select: none; margin-inline-end: 8px; }
.js-line code { font: inherit; white-space: pre; }
.js-line-error { background: var(--fd-danger-soft); }
.js-line-error::before { content: "● " counter(line); color: var(--fd-danger); font-weight: 600; }
.js-line-warning { background: var(--fd-warn-soft); }
.js-line-warning::before { content: "▲ " counter(line); color: var(--fd-warn); font-weight: 600; }
.js-key { color: var(--js-key); }
.js-string { color: var(--js-string); }
.js-number { color: var(--js-number); }
.js-literal { color: var(--js-literal); }
.js-punctuation { color: var(--js-mark); }
.js-sign::before { content: "▣"; padding: 0 3px; border-radius: 4px; background: var(--fd-accent-soft); color: var(--fd-accent-text); }
.js-more { margin: 0 4px; padding: 0 8px; border: 0; border-radius: var(--fd-radius-full); background: var(--fd-bg-pressed); color: var(--fd-ink-2);
  font: 500 var(--fd-text-2xs) / 1.6 var(--fd-font) !important; cursor: pointer; }

json-view { container: json-view / inline-size; }
@container json-view (max-width: 520px) {
  .js-head .cp-icon { display: none; }
  shape-switch { flex: 1 0 100%; order: 1; }
  .js-shapes { flex: 1; }
  .js-head { padding-inline-start: var(--fd-space-3); gap: 4px; }
  .js-head h2 { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 60px; flex: 0 1 auto; }
}
/* Both buttons share a line of their own. */
@container json-view (max-width: 430px) {
  .js-head > .cp-grow { flex-basis: 100%; }
  .js-head > .cp-button { flex: 1; border-color: var(--fd-line-strong); }
}
`;

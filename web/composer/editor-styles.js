/** The JSON editor: its lines, its gutter, what floats beside it, the bar below. */
export const editorStyles = `
json-editor { display: flex; flex-direction: column; position: relative; height: clamp(240px, 44vh, 560px); min-height: 200px;
  border: 1px solid var(--fd-field-line); border-radius: var(--fd-radius-md); background: var(--fd-bg); overflow: hidden; resize: vertical;
  container: json-editor / inline-size; --je-line: 20px; }
json-editor:has(.je-input:focus) { border-color: transparent; outline: 2px solid var(--fd-focus); outline-offset: -1px; }
.je-text { display: flex; flex: 1 1 auto; min-height: 0; }
.je-gutter { flex: none; overflow: hidden; text-align: end; user-select: none; padding-top: 10px;
  background: var(--fd-bg-sunken); color: var(--fd-ink-3); font: var(--fd-text-sm) / var(--je-line) var(--fd-font-mono); border-inline-end: 1px solid var(--fd-line); }
.je-numbers { list-style: none; min-width: 2ch; box-sizing: content-box !important; padding: 0 10px 0 22px !important; }
.je-numbers li { height: var(--je-line); position: relative; }
.je-numbers :is(span, button) { display: block; width: 100%; height: 100%; line-height: var(--je-line); text-align: end; }
.je-mark { padding: 0; border: 0; background: none; font: inherit; font-weight: 600; cursor: pointer; }
.je-mark::after { content: ""; position: absolute; inset: 0 -10px 0 -22px; z-index: 0; border-radius: 0; }
.je-mark:hover::after { background: color-mix(in srgb, currentColor 14%, transparent); }
.je-mark::before { position: absolute; left: -16px; font-size: 10px; }
.je-mark:focus-visible { outline: none; }
.je-mark:focus-visible::after { outline: 2px solid var(--fd-focus); outline-offset: -2px; }
.je-error { color: var(--fd-danger); }
.je-error::before { content: "●"; }
.je-warning { color: var(--fd-warn); }
.je-warning::before { content: "▲"; }
.je-area { position: relative; flex: 1; min-width: 0; }
.je-input { position: absolute; inset: 0; width: 100%; height: 100%; padding: 10px 12px !important; border: 0;
  font: var(--fd-text-sm) / var(--je-line) var(--fd-font-mono) !important; white-space: pre; tab-size: 2; letter-spacing: 0;
  resize: none; background: none; color: transparent !important; caret-color: var(--fd-ink); overflow: auto; outline: none !important; }
.je-input::selection { background: color-mix(in srgb, var(--fd-accent) 28%, transparent); color: transparent; }
.je-back { position: absolute; inset: 0; overflow: hidden; pointer-events: none; contain: strict; margin: 0; }
.je-back code { position: absolute; left: 12px; top: 10px; font: var(--fd-text-sm) / var(--je-line) var(--fd-font-mono); white-space: pre; tab-size: 2; letter-spacing: 0; }
.je-line { display: block; height: var(--je-line); }
.je-before { display: inline-block; }
.je-probe { position: absolute; visibility: hidden; }
.je-under-error { text-decoration: underline wavy var(--fd-danger) 1.5px; text-underline-offset: 3px; text-decoration-skip-ink: none; }
.je-under-warning { text-decoration: underline dashed var(--fd-warn) 2px; text-underline-offset: 4px; text-decoration-skip-ink: none; }

.je-foot { display: flex; align-items: center; gap: 2px; flex: none; min-height: 36px; padding: 1px 4px 1px 12px; border-top: 1px solid var(--fd-line);
  background: var(--fd-bg-sunken); font-size: var(--fd-text-xs); color: var(--fd-ink-2); }
.je-count { display: flex; flex-wrap: wrap; gap: 0 10px; margin-inline-end: 4px; }
.je-count span { display: inline-flex; align-items: center; gap: 4px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.je-count .cp-icon, .je-foot .cp-icon { width: 15px; height: 15px; }
.je-errors { color: var(--fd-danger); }
.je-warnings { color: var(--fd-warn); }
.je-foot .cp-button { min-height: 30px; padding: 0 10px; font-size: var(--fd-text-xs); }
.je-keys { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: 5px 12px; flex: none; margin: 0; padding: 6px 12px 12px;
  max-height: 40%; overflow-y: auto; background: var(--fd-bg-sunken); font-size: var(--fd-text-xs); color: var(--fd-ink-2); }
.je-keys[hidden] { display: none; }
.je-keys :is(dt, dd) { margin: 0; }
json-editor kbd { padding: 1px 5px; border: 1px solid var(--fd-line-strong); border-radius: 4px; background: var(--fd-bg-raised); color: var(--fd-ink-2);
  font: 500 var(--fd-text-2xs) / 1.4 var(--fd-font); white-space: nowrap; }
.je-keys kbd { margin-inline-end: 3px; }

@container json-editor (max-width: 480px) {
  .je-suggest span { display: none; }
  .je-foot { flex-wrap: wrap; padding-inline-start: 8px; }
  .je-foot .cp-button { padding: 0 8px; }
  .je-keys { grid-template-columns: max-content 1fr; }
}

completion-list, help-card { position: fixed; inset: auto; margin: 0; padding: 0; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-sm);
  background: var(--fd-bg-raised); color: var(--fd-ink); box-shadow: var(--fd-shadow-3); font: 400 var(--fd-text-sm) / var(--fd-leading) var(--fd-font);
  overflow: hidden; text-align: start; }
completion-list:popover-open { display: flex; width: min(620px, calc(100vw - 16px)); max-height: 300px; }
completion-list .sg-list { position: relative; flex: 1 1 300px; min-width: 0; max-height: 260px; overflow-y: auto; list-style: none; margin: 0; padding: 4px; }
.sg-option { display: flex; align-items: baseline; gap: 8px; padding: 4px 8px; border-radius: 6px; cursor: pointer; }
.sg-option:hover { background: var(--fd-bg-hover); }
.sg-option[aria-selected="true"] { background: var(--fd-accent); color: var(--fd-accent-ink); }
.sg-label { flex: 0 1 auto; min-width: 0; font-family: var(--fd-font-mono); font-size: var(--fd-text-xs); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sg-required { flex: none; font-size: var(--fd-text-2xs); font-weight: 600; color: var(--fd-accent-text); }
.sg-type { flex: none; margin-inline-start: auto; font-size: var(--fd-text-2xs); color: var(--fd-ink-3); }
.sg-option[aria-selected="true"] :is(.sg-required, .sg-type) { color: inherit; }
.sg-words { flex: 1 1 280px; min-width: 0; max-height: 260px; overflow-y: auto; padding: 10px 12px; border-inline-start: 1px solid var(--fd-line); font-size: var(--fd-text-xs); }
.sg-words[hidden] { display: none; }
@media (max-width: 639px) {
  completion-list:popover-open { flex-direction: column; width: min(360px, calc(100vw - 16px)); }
  completion-list .sg-list { flex: 1 1 auto; max-height: 170px; }
  .sg-words { flex: 0 0 auto; max-height: 100px; border-inline-start: 0; border-top: 1px solid var(--fd-line); }
}
.jh-words { overflow-wrap: anywhere; }
.jh-limits { list-style: none; margin: 6px 0 0 !important; padding: 0; display: flex; flex-wrap: wrap; gap: 4px; }
.jh-limits li { padding: 1px 8px; border-radius: var(--fd-radius-full); background: var(--fd-bg-pressed); color: var(--fd-ink-2); font-size: var(--fd-text-2xs); overflow-wrap: anywhere; }
.jh-choices { margin-top: 6px !important; font-size: var(--fd-text-xs); overflow-wrap: anywhere; }
:is(.jh-choices, .jh-name) code { font: 500 var(--fd-text-xs) / 1.4 var(--fd-font-mono); }
help-card:popover-open { display: block; width: max-content; max-width: min(420px, calc(100vw - 16px)); overflow-y: auto; }
.jh-about { padding: 10px 12px; font-size: var(--fd-text-xs); }
.jh-name { margin-bottom: 4px !important; color: var(--fd-ink-3); }
.jh-name code { color: var(--fd-ink); }
.jh-finding { display: flex; gap: 8px; padding: 10px 12px; }
.jh-finding > .cp-icon { margin-top: 1px; }
.jh-finding + :is(.jh-finding, .jh-about) { border-top: 1px solid var(--fd-line); }
.jh-said { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.jh-more { display: flex; align-items: center; flex-wrap: wrap; gap: 4px 12px; margin-top: 4px; font-size: var(--fd-text-xs); color: var(--fd-ink-3); }
.jh-more a { color: var(--fd-accent-text); }
.jh-fix { min-height: 28px !important; padding: 0 8px !important; font-size: var(--fd-text-xs) !important; }
.jh-error > .cp-icon, .jh-error strong { color: var(--fd-danger); }
.jh-warning > .cp-icon, .jh-warning strong { color: var(--fd-warn); }
.cp-suspicion { display: flex; align-items: center; gap: var(--fd-space-3); padding: 8px 12px; border-radius: var(--fd-radius-sm); background: var(--fd-warn-soft);
  font-size: var(--fd-text-sm); }
.cp-suspicion p { flex: 1; }
raw-form:has(> repair-panel:not([hidden])) > :is(json-editor, finding-list, .cp-rawinfo, .cp-rawtools) { display: none; }
repair-panel { display: block; flex: 1 1 auto; min-height: 0; overflow-y: auto; padding: var(--fd-space-3) var(--fd-space-4) 0; border: 1px solid var(--fd-line-strong);
  border-radius: var(--fd-radius-md); background: var(--fd-bg-sunken); font-size: var(--fd-text-sm); }
repair-panel h3 { font-size: var(--fd-text-md); outline: none !important; }
repair-panel h4 { margin-top: var(--fd-space-2); font-size: var(--fd-text-xs); color: var(--fd-ink-2); }
.rp-list { display: grid; gap: var(--fd-space-2); margin-top: var(--fd-space-2) !important; }
.rp-list li { display: flex; gap: var(--fd-space-2); }
.rp-list li > div { min-width: 0; }
.rp-ill > .cp-icon { color: var(--fd-warn); }
.rp-note > .cp-icon { color: var(--fd-accent-text); }
.rp-place { color: var(--fd-ink-3); font-size: var(--fd-text-xs); }
.rp-change, .rp-place { overflow-wrap: anywhere; }
:is(.rp-change, .rp-place) code, .rp-text { font: var(--fd-text-xs) / 1.5 var(--fd-font-mono); }
.rp-text { max-height: 40vh; overflow: auto; margin: 4px 0 0; padding: 8px 10px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm); background: var(--fd-bg); white-space: pre; }
.rp-actions { display: flex; flex-wrap: wrap; gap: var(--fd-space-2); margin-top: var(--fd-space-2); padding: var(--fd-space-2) 0 var(--fd-space-3);
  position: sticky; bottom: 0; background: var(--fd-bg-sunken); }
@media (pointer: coarse) {
  .je-foot .cp-button { min-height: 40px; }
  .sg-option { padding: 10px 8px; }
}
`;

import { kinds } from "./kinds.js";

/** The forms: fields, rows, sections, pictures, files. */
export const formStyles = `
.cp-panel > :is(${kinds.map(({ tag }) => tag).join(", ")}) {
  display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--fd-space-4); align-content: start;
}
.cp-field { display: grid; gap: 4px; min-width: 0; align-content: start; }
.cp-label { display: flex; justify-content: space-between; gap: 8px; font-size: var(--fd-text-sm); font-weight: 500; color: var(--fd-ink-2); padding: 0; }
.cp-optional { color: var(--fd-ink-3); font-weight: 400; }
.cp-bytes { color: var(--fd-ink-3); font-weight: 400; font-variant-numeric: tabular-nums; }
.cp-bytes.cp-over { color: var(--fd-danger); font-weight: 600; }
.cp-input { width: 100%; min-width: 0; min-height: 36px; padding: 7px 10px; border: 1px solid var(--fd-field-line);
  border-radius: var(--fd-radius-sm); background: var(--fd-bg); font-size: var(--fd-text-md); }
textarea.cp-input { resize: vertical; line-height: var(--fd-leading); }
.cp-input::placeholder, .cp-text::placeholder { color: var(--fd-ink-3); opacity: 1; }
.cp-input:focus-visible { outline-offset: -1px !important; border-color: transparent; }
.cp-mono .cp-input, .cp-input.cp-mono { font-family: var(--fd-font-mono); font-size: var(--fd-text-sm); }
.cp-select { appearance: none; padding-inline-end: 30px; text-overflow: ellipsis; background-image: var(--fd-arrow);
  background-size: 12px; background-position: right 10px center; background-repeat: no-repeat; }
.cp-hint { font-size: var(--fd-text-xs); color: var(--fd-ink-3); }
.cp-note { font-size: var(--fd-text-sm); color: var(--fd-danger); }
.cp-note:empty { display: none; }
.cp-group-problem:not(:has(.cp-problem:not([hidden]))), .cp-group-problem:not(.cp-visited) { display: none; }
.cp-problem { font-size: var(--fd-text-xs); display: none; }
.cp-visited.cp-has-error > .cp-problem { display: block; color: var(--fd-danger); }
.cp-visited.cp-has-warning > .cp-problem { display: block; color: var(--fd-warn); }
.cp-visited.cp-has-error > .cp-input, .cp-visited.cp-has-error > .fd-pick > .cp-input, .cp-input.cp-wrong { border-color: var(--fd-danger); box-shadow: 0 0 0 1px var(--fd-danger); }
.cp-visited.cp-has-warning > .cp-input, .cp-visited.cp-has-warning > .fd-pick > .cp-input { border-color: var(--fd-warn); }
.cp-row { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: var(--fd-space-3); align-items: start; }
.cp-row-tight { grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); }
.cp-bottom { align-self: end; }
.cp-heading { display: flex; align-items: baseline; gap: 8px; margin-top: var(--fd-space-1); }
.cp-heading h3 { font-size: var(--fd-text-sm); font-weight: 600; }
.cp-count { color: var(--fd-ink-3); font-size: var(--fd-text-xs); font-variant-numeric: tabular-nums; }
.cp-heading + .cp-list { margin-top: calc(-1 * var(--fd-space-2)); }
.cp-list { display: grid; gap: var(--fd-space-2); }
.cp-list + .cp-button { justify-self: start; }
.cp-panel .cp-button { justify-self: start; }
.cp-listrow { display: flex; align-items: center; gap: var(--fd-space-2); min-width: 0; }
.cp-order { display: inline-flex; color: var(--fd-ink-3); flex: none; }
.cp-narrow { width: 104px; flex: none; }
.cp-amount { width: 108px; flex: none; }
.cp-amount .cp-input { text-align: end; font-variant-numeric: tabular-nums; }
.cp-minutes { width: 72px; flex: none; }
.cp-unit { color: var(--fd-ink-3); font-size: var(--fd-text-sm); }
.cp-checkline { display: flex; align-items: center; gap: 8px; font-size: var(--fd-text-sm); min-height: 28px; }
.cp-check { width: 16px; height: 16px; margin: 0; accent-color: var(--fd-accent); flex: none; }
.cp-checkgroup { display: grid; gap: 6px; }
.cp-pills { display: flex; flex-wrap: wrap; gap: 6px; }
.cp-pill { padding: 3px 12px 3px 9px; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-full); }
.cp-pill:has(:checked) { background: var(--fd-accent-soft); border-color: transparent; }
.cp-fold { border-top: 1px solid var(--fd-line); padding-top: var(--fd-space-3); }
.cp-fold > summary { cursor: pointer; font-size: var(--fd-text-sm); font-weight: 500; color: var(--fd-ink-2); border-radius: 4px; width: fit-content; }
.cp-fold > summary:hover { color: var(--fd-ink); }
.cp-fold-body { display: grid; gap: var(--fd-space-4); padding-top: var(--fd-space-3); }
.cp-cardtext { display: grid; gap: var(--fd-space-3); }
.cp-cardtext h4 { font-size: var(--fd-text-sm); font-weight: 600; }
.cp-section { display: grid; gap: var(--fd-space-3); padding: var(--fd-space-3) !important; border: 1px solid var(--fd-line) !important;
  border-radius: var(--fd-radius-md); background: var(--fd-bg-sunken); }
.cp-section > legend.cp-label { padding: 0 6px; }
.cp-section-head { display: flex; align-items: center; gap: var(--fd-space-2); }
.cp-strong .cp-input { font-weight: 600; }
.cp-page-number { flex: none; min-width: 22px; height: 22px; padding: 0 6px; display: grid; place-items: center; border-radius: var(--fd-radius-full);
  background: var(--fd-accent-soft); color: var(--fd-accent-text); font-size: var(--fd-text-xs); font-weight: 600; font-variant-numeric: tabular-nums; }
.cp-choices { display: grid; gap: var(--fd-space-3); min-width: 0; }
.cp-choices > .cp-button { justify-self: start; }
.cp-branch { width: 190px; flex: none; }
.cp-item { align-items: flex-start; }
.cp-item-lines { display: grid; gap: 4px; flex: 1; min-width: 0; }

.cp-picture { position: relative; display: flex; align-items: center; gap: var(--fd-space-3); flex-wrap: wrap; border-radius: var(--fd-radius-sm); }
.cp-picture-button { display: inline-flex; align-items: center; gap: 8px; min-height: 36px; padding: 6px 12px; border: 1px dashed var(--fd-field-line);
  border-radius: var(--fd-radius-sm); color: var(--fd-ink-2); font-size: var(--fd-text-sm); cursor: pointer; }
.cp-picture-button:hover { background: var(--fd-bg-hover); color: var(--fd-ink); }
input:focus-visible + .cp-picture-button, input:focus-visible + label.cp-button { outline: 2px solid var(--fd-focus); outline-offset: 1px; }
.cp-picture-button img { display: block; max-width: 180px; max-height: 96px; border-radius: 6px; }
.cp-picture-button:has(img) { padding: 4px; border-style: solid; border-color: var(--fd-line); }
.cp-picture-size, .cp-picture-status { font-size: var(--fd-text-xs); color: var(--fd-ink-3); }
.cp-picture-compact { flex: none; width: 40px; gap: 2px; }
.cp-picture-compact .cp-picture-library { width: 40px; min-width: 0; height: 26px; min-height: 0; }
.cp-picture-compact .cp-picture-button { width: 40px; height: 40px; padding: 0; justify-content: center; }
.cp-picture-compact .cp-picture-button img { width: 100%; height: 100%; object-fit: cover; }
.cp-picture-compact .cp-picture-remove { position: absolute; inset: -8px -8px auto auto; width: 20px; height: 20px; min-width: 0; min-height: 0;
  border-radius: 50%; background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-1), 0 0 0 1px var(--fd-line); }
.cp-dropping { outline: 2px dashed var(--fd-accent); outline-offset: 2px; background: var(--fd-accent-soft); }

.cp-area > text-form { display: grid; gap: 2px; }
.cp-area .cp-note { padding: 0 14px; }
.cp-textbox { display: grid; }
.cp-text { width: 100%; border: 0; background: none; padding: 12px 14px 4px; resize: none; min-height: 50px; max-height: 240px;
  color: inherit; font: inherit; font-size: var(--fd-text-md); line-height: var(--fd-leading); outline: none !important; display: block; }
/* One line, however narrow: its height follows the text, and the placeholder counts as one. */
.cp-text:placeholder-shown { white-space: nowrap; overflow: hidden; }
.cp-tray { display: flex; flex-wrap: wrap; gap: 8px; padding: 10px 10px 0; }
.cp-chip { display: flex; align-items: center; gap: 8px; padding: 4px 4px 4px 8px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm);
  background: var(--fd-bg-raised); max-width: 260px; }
.cp-chip img { width: 32px; height: 32px; object-fit: cover; border-radius: 5px; margin-inline-start: -4px; }
.cp-chip-words { display: grid; min-width: 0; }
.cp-chip-name { font-size: var(--fd-text-sm); font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.cp-chip-size { font-size: var(--fd-text-xs); color: var(--fd-ink-3); }
.cp-chip-failed { border-color: var(--fd-danger); }
.cp-chip-failed .cp-chip-size { color: var(--fd-danger); }
.cp-chip progress { width: 100%; height: 4px; accent-color: var(--fd-accent); }
.cp-chip-place { align-self: center; }
.cp-link { border: 0; background: none; color: var(--fd-accent-text) !important; font-size: var(--fd-text-xs) !important; cursor: pointer; padding: 6px; }
.cp-link:hover { text-decoration: underline; }

.cp-quickadd { display: grid; gap: var(--fd-space-2); padding: var(--fd-space-3); border-radius: var(--fd-radius-md); background: var(--fd-accent-soft); }
.cp-total { display: flex; justify-content: space-between; align-items: baseline; padding-top: var(--fd-space-3); border-top: 1px solid var(--fd-line); font-weight: 600; }
.cp-total-amount { font-size: var(--fd-text-xl); font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.cp-session { font-size: var(--fd-text-xs); color: var(--fd-ink-3); margin-top: calc(-1 * var(--fd-space-3)) !important; text-align: end; }
.cp-session.is-long { color: var(--fd-ink-2); text-align: start; }
.cp-dropzone { display: grid; justify-items: center; gap: var(--fd-space-2); padding: var(--fd-space-7) var(--fd-space-4); text-align: center;
  border: 1.5px dashed var(--fd-line-strong); border-radius: var(--fd-radius-lg); background: var(--fd-bg-sunken); }
.cp-dropzone > .cp-icon { width: 32px; height: 32px; stroke-width: 1.1; color: var(--fd-accent-text); }
.cp-dropzone .cp-button { margin-top: var(--fd-space-2); justify-self: center; }
.cp-dropzone-title { font-weight: 600; }
.cp-file { display: flex; align-items: center; gap: var(--fd-space-2); flex-wrap: wrap; }
.cp-file > .cp-icon { width: 24px; height: 24px; color: var(--fd-ink-3); }
.cp-placeholders { grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); }
.cp-placeholders .cp-label { font-family: var(--fd-font-mono); font-size: var(--fd-text-xs); }
.cp-placeholders > legend.cp-label { font-family: var(--fd-font); font-size: var(--fd-text-sm); }
.cp-rawtools { display: flex; flex-wrap: wrap; align-items: center; gap: var(--fd-space-2); }
.cp-rawtools .cp-select { width: auto; min-width: 130px; font-size: var(--fd-text-sm); min-height: 34px; }
.cp-rawinfo { font-size: var(--fd-text-xs); color: var(--fd-ink-3); margin-top: calc(-1 * var(--fd-space-2)) !important; }
.cp-panel > raw-form { display: flex !important; flex-direction: column; gap: var(--fd-space-3); height: 100%; min-height: 300px; }
raw-form > json-editor { flex: 1 1 240px; height: auto; resize: none; min-height: 180px; }
raw-form > finding-list { flex: 0 1 auto; max-height: 38%; overflow-y: auto; }
@container composer (max-width: 460px) {
  .cp-shrinking > span { display: none; }
  .cp-item { flex-wrap: wrap; }
  .cp-item .cp-item-lines { flex-basis: calc(100% - 52px); }
  .cp-item .cp-narrow { margin-inline-start: 48px; }
  .cp-listrow { flex-wrap: wrap; }
  .cp-listrow > .cp-grow { flex-basis: 130px; }
  .cp-listrow > .cp-branch { order: 1; width: 100%; }
  .cp-listrow > .cp-wide { flex-basis: 100%; }
  .cp-listrow > .cp-order { margin-inline-start: auto; }
}
desk-composer { container: composer / inline-size; }
@media (max-width: 640px) {
  .cp-input { min-height: 44px; font-size: 16px; }
  .cp-text { font-size: 16px; }
  .cp-checkline { min-height: 40px; }
}
`;

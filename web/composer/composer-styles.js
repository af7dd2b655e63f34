/** The composer's frame: sheet, box with its tools, findings, templates. */
export const composerStyles = `
desk-composer, desk-composer * { box-sizing: border-box; }
desk-composer {
  display: flex; flex-direction: column; gap: 8px; min-height: 0; min-width: 0; color: var(--fd-ink);
  font: 400 var(--fd-text-md) / var(--fd-leading) var(--fd-font);
}
desk-composer :is(p, ul, ol, h2, h3, h4, fieldset), json-view :is(h2, p, ol, pre), json-editor :is(ol, pre, p) {
  margin: 0; padding: 0;
}
desk-composer :is(ul, ol) { list-style: none; }
desk-composer fieldset { border: 0; min-width: 0; }
desk-composer :is(button, input, textarea, select), note-box :is(button, textarea), json-view button { font: inherit; color: inherit; }
desk-composer [hidden], json-view [hidden] { display: none !important; }
desk-composer .fd-hidden-text, json-editor .fd-hidden-text, json-view .fd-hidden-text {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
desk-composer :focus-visible, json-view :focus-visible, json-editor :focus-visible {
  outline: 2px solid var(--fd-focus); outline-offset: 1px;
}
.cp-icon { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5;
  stroke-linecap: round; stroke-linejoin: round; }
.cp-grow { flex: 1 1 auto; min-width: 0; }

.cp-sheet { display: flex; flex-direction: column; min-height: 0; flex: 1 1 auto; overflow: hidden;
  border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-1); }
desk-composer[data-kind="text"] > .cp-sheet { display: none; }
.cp-sheet-head { display: flex; align-items: center; gap: 4px; padding: 6px 6px 6px var(--fd-space-4); flex: none; border-bottom: 1px solid var(--fd-line); }
.cp-sheet-head h3 { font-size: var(--fd-text-sm); font-weight: 600; white-space: nowrap; }
.cp-panel { flex: 1 1 auto; position: relative; min-height: 0; overflow-y: auto; padding: var(--fd-space-3) var(--fd-space-4) var(--fd-space-4);
  scroll-padding-block: var(--fd-space-3); }
.cp-panel-off :is(.cp-input, .cp-text) { color: var(--fd-ink-2); }

.cp-box { position: relative; flex: none; display: flex; flex-direction: column; border: 1px solid var(--fd-field-line);
  border-radius: 14px; background: var(--fd-bg-raised); }
.cp-box:has(.cp-text:focus-visible) { border-color: var(--fd-accent); box-shadow: 0 0 0 1px var(--fd-accent); }
.cp-box.is-note { border-color: color-mix(in srgb, var(--fd-note) 45%, transparent); background: var(--fd-note-soft); }
.cp-box.is-note:has(.cp-text:focus-visible) { border-color: var(--fd-note); box-shadow: 0 0 0 1px var(--fd-note); }
desk-composer:not([data-kind="text"]) .cp-area { display: none; }
.cp-line { display: flex; align-items: center; gap: 4px; min-height: 50px; padding: 6px 12px 0; }
desk-composer[data-kind="text"] .cp-line { min-height: 0; padding: 0 8px; }
.cp-foot { display: flex; align-items: center; gap: 4px; padding: 4px 6px 6px; flex: none; min-height: 44px; }
.cp-tools { display: flex; align-items: center; gap: 1px; flex: none; }
/* What could not be sent is not offered. */
desk-composer:is([data-shut="left"], [data-shut="over"]) .cp-tools:not(:focus-within) { display: none; }
.cp-tool { position: relative; display: grid; place-items: center; width: 32px; height: 32px; padding: 0; border: 0; flex: none;
  border-radius: var(--fd-radius-sm); background: none; color: var(--fd-ink-2); cursor: pointer; }
.cp-tool:hover { background: var(--fd-bg-hover); color: var(--fd-ink); }
.cp-tool:is([aria-pressed="true"], .is-rare-open, [aria-expanded="true"]) { background: var(--fd-accent-soft); color: var(--fd-accent-text); }
.cp-tool-blocked:not([aria-pressed="true"]) { color: var(--fd-ink-3); }
.cp-tool-blocked::before { content: ""; position: absolute; inset: 15px 5px auto; height: 1.5px; background: currentColor; rotate: -45deg; }
.cp-tool:is(:hover, :focus-visible):not([aria-expanded="true"])::after { content: attr(data-tip); position: absolute; bottom: calc(100% + 4px); left: 0; z-index: 3;
  width: max-content; max-width: 200px; padding: 4px 8px; border-radius: 6px; background: var(--fd-ink); color: var(--fd-bg);
  font: 500 var(--fd-text-xs) / 1.35 var(--fd-font); text-align: start; pointer-events: none; }
@media (hover: none) { .cp-tool:is(:hover, :focus-visible)::after { display: none; } }
.cp-box .cp-send { width: 32px; height: 32px; border-radius: 50%; background: var(--fd-accent); }
.cp-box .cp-later { width: 28px; min-width: 28px; height: 32px; color: var(--fd-ink-2); }
.cp-box .cp-later[hidden] { display: none; }
.cp-box .cp-send:not(:disabled) { color: var(--fd-accent-ink); }
.cp-box .cp-send:hover:not(:disabled) { background: var(--fd-accent); filter: brightness(1.07); }
.cp-box .cp-send:disabled { background: var(--fd-bg-pressed); color: var(--fd-ink-3); opacity: 1; }
desk-composer .cp-notice { flex: none; margin-top: -4px; padding-inline: 8px; color: var(--fd-ink-2); font-size: var(--fd-text-xs); line-height: 16px; }
desk-composer .cp-notice:empty { display: none; }
.cp-keys { color: var(--fd-ink-2); font-size: var(--fd-text-xs); white-space: nowrap; }

.emoji-popup { width: 296px; max-height: min(320px, 60dvh); }
.emoji-title { margin: 6px 6px 2px; color: var(--fd-ink-3); font-size: var(--fd-text-xs); font-weight: 500; }
.emoji-grid { display: grid; grid-template-columns: repeat(8, 1fr); }
.emoji { display: grid; place-items: center; aspect-ratio: 1; padding: 0; border: 0; border-radius: 6px; background: none;
  font-size: 20px; line-height: 1; font-variant-emoji: emoji; cursor: pointer; }
.emoji:is(:hover, :focus-visible) { background: var(--fd-bg-hover); }

.cp-reason { display: flex; gap: var(--fd-space-3); align-items: flex-start; 
  padding: var(--fd-space-3) var(--fd-space-4); border-radius: var(--fd-radius-md); background: var(--fd-warn-soft); }
.cp-reason > .cp-icon { color: var(--fd-warn); margin-top: 2px; }
.cp-reason p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); margin-top: 2px; }

.cp-button { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-height: 34px;
  padding: 0 12px; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-sm);
  background: var(--fd-bg-raised); font-size: var(--fd-text-sm); font-weight: 500; white-space: nowrap; cursor: pointer;
  transition: background var(--fd-quick), filter var(--fd-quick); }
.cp-button:hover:not(:disabled) { background: var(--fd-bg-hover); }
.cp-button:active:not(:disabled) { background: var(--fd-bg-pressed); }
.cp-button:disabled { color: var(--fd-ink-3); cursor: default; }
.cp-button .cp-icon { width: 16px; height: 16px; }
.cp-button.cp-quiet { border-color: transparent; background: transparent; color: var(--fd-ink-2); padding: 0 8px; }
.cp-button.cp-quiet:hover:not(:disabled) { background: var(--fd-bg-hover); color: var(--fd-ink); }
.cp-button.cp-quiet:disabled { color: var(--fd-ink-3); }
.cp-button.cp-primary { background: var(--fd-accent); border-color: transparent; color: var(--fd-accent-ink); padding: 0 16px; }
.cp-button.cp-primary:hover:not(:disabled) { background: var(--fd-accent); filter: brightness(1.07); }
.cp-button.cp-primary:disabled { background: var(--fd-bg-pressed); color: var(--fd-ink-3); }
/* What is still on its way after a moment is seen to be so, where nothing moves too. */
desk-composer [aria-busy="true"] .cp-text { color: var(--fd-ink-3); transition: color 150ms 600ms; }
.cp-sending .cp-icon { animation: cp-lift 700ms var(--fd-ease) infinite alternate; }
@keyframes cp-lift { to { transform: translateY(-3px); } }
@media (prefers-reduced-motion: reduce) { .cp-sending .cp-icon { animation: none; } }
.cp-iconbutton { display: inline-grid; place-items: center; width: 34px; height: 34px; border: 0; border-radius: var(--fd-radius-sm);
  background: none; color: var(--fd-ink-2); cursor: pointer; flex: none; }
.cp-iconbutton:hover:not(:disabled) { background: var(--fd-bg-hover); color: var(--fd-ink); }
.cp-iconbutton:disabled { opacity: 0.3; cursor: default; }
.cp-iconbutton.cp-small { width: 28px; height: 28px; }
.cp-iconbutton.cp-small .cp-icon { width: 15px; height: 15px; }

.cp-status { display: inline-flex; align-items: center; gap: 6px; padding: 6px 10px; border: 0; border-radius: var(--fd-radius-full);
  font-size: var(--fd-text-sm); font-weight: 500; background: none; white-space: nowrap; cursor: pointer; }
.cp-status:disabled { cursor: default; }
.cp-status .cp-icon { width: 16px; height: 16px; }
desk-composer .cp-status-ok { color: var(--fd-ok); }
desk-composer .cp-status-warning { color: var(--fd-warn); background: var(--fd-warn-soft); }
desk-composer .cp-status-error { color: var(--fd-danger); background: var(--fd-danger-soft); }

.cp-alert { display: flex; align-items: center; gap: var(--fd-space-2);
  padding: var(--fd-space-2) var(--fd-space-3); border-radius: var(--fd-radius-md); background: var(--fd-danger-soft);
  color: var(--fd-danger); font-size: var(--fd-text-sm); flex: none; }

.cp-replaced:not(:empty) { display: flex; flex-wrap: wrap; align-items: center; gap: var(--fd-space-2);
  padding: var(--fd-space-2) var(--fd-space-3); border-radius: var(--fd-radius-md); background: var(--fd-bg-sunken);
  color: var(--fd-ink-2); font-size: var(--fd-text-sm); flex: none; }

desk-composer > finding-list { max-height: 180px; overflow-y: auto; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md);
  padding: var(--fd-space-2); flex: none; background: var(--fd-bg-raised); }
finding-list { display: block; }
.fl-list { display: grid; gap: 2px; }
.fl-row { display: flex; gap: var(--fd-space-2); padding: 6px 8px; border-radius: var(--fd-radius-sm); }
.fl-row:hover { background: var(--fd-bg-hover); }
.fl-error > .cp-icon { color: var(--fd-danger); }
.fl-warning > .cp-icon { color: var(--fd-warn); }
.fl-info > .cp-icon, .fl-info .fl-severity { color: var(--fd-accent-text); }
.fl-words { min-width: 0; flex: 1; }
.fl-severity { font-size: var(--fd-text-xs); font-weight: 600; margin-inline-end: 6px; }
.fl-error .fl-severity { color: var(--fd-danger); }
.fl-warning .fl-severity { color: var(--fd-warn); }
.fl-said { font-size: var(--fd-text-sm); }
.fl-jump { display: inline; padding: 0; border: 0; background: none; text-align: start; font-size: var(--fd-text-sm) !important; cursor: pointer; }
raw-form > .fl-empty { margin-top: calc(-1 * var(--fd-space-3)); }
.fl-fix { align-self: center; min-height: 28px; padding: 0 10px; font-size: var(--fd-text-xs) !important; }
.fl-jump:hover { text-decoration: underline; }
.fl-place { display: flex; flex-wrap: wrap; gap: 2px 12px; color: var(--fd-ink-3); font-size: var(--fd-text-xs); margin-top: 1px; }
.fl-place code { font-family: var(--fd-font-mono); overflow-wrap: anywhere; }
.fl-place a { color: var(--fd-accent-text); }

template-picker { display: block; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-2); overflow: auto; scroll-padding-bottom: 64px; min-height: 0; flex: 0 1 auto; }
template-picker > p { padding: var(--fd-space-4); }
.tp-make { display: block; padding: 0 var(--fd-space-4) var(--fd-space-4); color: var(--fd-accent-text); font-size: var(--fd-text-sm); }
.tp-make[hidden] { display: none; }
.cp-popup { width: min(320px, calc(100vw - 16px)); padding: var(--fd-space-3); }
.cp-saving { display: grid; gap: var(--fd-space-3); }
.cp-saving :is(p) { margin: 0; }
.cp-saving .cp-button { justify-self: end; }
.tp-foot { display: flex; flex-wrap: wrap; gap: 4px; padding: 4px; border-top: 1px solid var(--fd-line); }
.tp-foot:empty { display: none; }
.tp-head { display: flex; align-items: center; gap: var(--fd-space-2); padding: var(--fd-space-2); border-bottom: 1px solid var(--fd-line);
  position: sticky; top: 0; background: inherit; }
.tp-head .cp-input { border-color: transparent; flex: 1; }
.tp-head h3 { font-size: var(--fd-text-md); }
.tp-slash { color: var(--fd-accent-text); font-weight: 600; padding-inline-start: 8px; }
.tp-back { transform: rotate(-90deg); }
.tp-list { max-height: 240px; overflow-y: auto; padding: 4px; }
.tp-option { display: grid; padding: 7px 10px; border-radius: var(--fd-radius-sm); cursor: pointer; }
.tp-option:hover { background: var(--fd-bg-hover); }
.tp-option[aria-selected="true"] { background: var(--fd-accent-soft); }
.tp-option .cp-hint { color: var(--fd-ink-2); }
.tp-name { font-weight: 500; }
.tp-fields { display: grid; gap: var(--fd-space-3); padding: var(--fd-space-3); }
.tp-fields:empty { display: none; }
.tp-preview { padding: var(--fd-space-3); background: var(--fd-bg-sunken); }
.tp-preview:empty { display: none; }
.tp-actions { position: sticky; bottom: 0; z-index: 1; display: flex; justify-content: flex-end; gap: var(--fd-space-2); padding: var(--fd-space-3);
  border-top: 1px solid var(--fd-line); background: var(--fd-bg-raised); }
.tp-actions:empty { display: none; }
@container composer (max-width: 412px) {
  .cp-kind { display: none; }
  .cp-more.is-card-open { background: var(--fd-accent-soft); color: var(--fd-accent-text); }
}
/* Where the tools need the whole row, the choice of a time is above Send. */
@container composer (max-width: 560px) {
  .cp-foot { position: relative; }
  .cp-box .cp-later { position: absolute; inset-inline-end: 8px; bottom: 100%; }
  .cp-box:has(.cp-later:not([hidden])) .cp-text { padding-inline-end: 40px; }
}
@container composer (max-width: 460px) {
  .cp-sheet-head .cp-quiet:not(.cp-shrinking) .cp-icon { display: none; }
  .cp-sheet-head { padding-inline-start: var(--fd-space-3); }
  .cp-panel { padding-inline: var(--fd-space-3); }
}
@media (max-width: 640px) {
  .cp-button { min-height: 44px; }
  .cp-tool { width: 40px; height: 44px; }
  .cp-box .cp-send { width: 44px; height: 44px; }
  .cp-iconbutton, .cp-iconbutton.cp-small { min-width: 40px; min-height: 40px; }
}
@container composer (max-width: 330px) {
  .cp-sheet-head .cp-quiet { padding: 0 4px; min-width: 0; line-height: 16px; }
  .cp-sheet-head .cp-quiet > span { white-space: normal; }
  .cp-sheet-head h3 { min-width: 0; white-space: normal; line-height: 16px; }
  .cp-sheet-head .cp-grow { flex-shrink: 1000; }
  .cp-tool { width: 32px; }
}
/* Little height. */
@media (max-height: 560px) {
  desk-composer > finding-list { max-height: max(72px, 24dvh); }
  .cp-tool { height: 34px; }
  .cp-box .cp-send { width: 34px; height: 34px; }
  .cp-line { min-height: 34px; }
  .cp-foot { min-height: 0; padding-block: 2px 4px; }
  .cp-sheet-head { padding-block: 0; }
  @media (hover: hover) { .cp-sheet-head button { min-height: 32px; } }
  .cp-panel { padding-block: var(--fd-space-2); }
  /* What gets the focus is scrolled to with its label. */
  .cp-panel :is(input, select, textarea) { scroll-margin-block: 24px 4px; }
  .cp-text { min-height: 36px !important; max-height: max(36px, 20dvh) !important; padding-top: 8px !important; }
  template-picker:not([hidden]) ~ .cp-box { display: none; }
}
`;

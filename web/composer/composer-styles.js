/** The composer's frame: kinds, panel, foot, findings, templates. */
export const composerStyles = `
desk-composer, desk-composer * { box-sizing: border-box; }
desk-composer {
  display: flex; flex-direction: column; min-height: 0; min-width: 0;
  background: var(--fd-bg-raised); color: var(--fd-ink);
  font: 400 var(--fd-text-md) / var(--fd-leading) var(--fd-font);
}
desk-composer :is(p, ul, ol, h2, h3, h4, fieldset), json-view :is(h2, p, ol, pre), json-editor :is(ol, pre, p) {
  margin: 0; padding: 0;
}
desk-composer :is(ul, ol) { list-style: none; }
desk-composer fieldset { border: 0; min-width: 0; }
desk-composer :is(button, input, textarea, select), json-view button { font: inherit; color: inherit; }
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

.cp-tabs { display: flex; gap: 2px; padding: var(--fd-space-2) var(--fd-space-3) 0; overflow-x: auto; position: sticky; top: 0; z-index: 2;
  border-bottom: 1px solid var(--fd-line); scrollbar-width: none; flex: none; background: var(--fd-bg-raised); }
.cp-tabs.cp-more-after { mask-image: linear-gradient(to right, #000 calc(100% - 40px), rgb(0 0 0 / 0.15)); }
.cp-tabs.cp-more-before { mask-image: linear-gradient(to left, #000 calc(100% - 40px), rgb(0 0 0 / 0.15)); }
.cp-tabs.cp-more-before.cp-more-after { mask-image: linear-gradient(to right, rgb(0 0 0 / 0.15), #000 40px calc(100% - 40px), rgb(0 0 0 / 0.15)); }
.cp-tab { display: inline-flex; align-items: center; gap: 6px; padding: 8px 10px 9px; border: 0; background: none;
  border-radius: 8px 8px 0 0; color: var(--fd-ink-2); font-size: var(--fd-text-sm); font-weight: 500;
  white-space: nowrap; position: relative; cursor: pointer; }
.cp-tab:hover { background: var(--fd-bg-hover); color: var(--fd-ink); }
.cp-tab[aria-selected="true"] { color: var(--fd-accent-text); }
.cp-tab[aria-selected="true"]::after { content: ""; position: absolute; inset: auto 8px -1px; height: 2px;
  border-radius: 2px; background: var(--fd-accent); }
.cp-tab:focus-visible { outline-offset: -2px; }
.cp-tab .cp-icon { width: 16px; height: 16px; }
.cp-tab-blocked { color: var(--fd-ink-3); text-decoration: line-through; text-decoration-color: var(--fd-line-strong); }

.cp-panel { flex: 1 1 auto; min-height: 0; overflow-y: auto; padding: var(--fd-space-4); }
.cp-panel-off { opacity: 0.45; }
desk-composer[data-kind="text"] .cp-panel { padding: var(--fd-space-3) var(--fd-space-3) 2px; flex: 0 1 auto; }

.cp-reason { display: flex; gap: var(--fd-space-3); align-items: flex-start; margin: var(--fd-space-3) var(--fd-space-3) 0;
  padding: var(--fd-space-3) var(--fd-space-4); border-radius: var(--fd-radius-md); background: var(--fd-warn-soft); }
.cp-reason > .cp-icon { color: var(--fd-warn); margin-top: 2px; }
.cp-reason p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); margin-top: 2px; }

.cp-foot { display: flex; align-items: center; gap: var(--fd-space-2); padding: var(--fd-space-3); flex: none; min-height: 60px;
  position: sticky; bottom: 0; z-index: 1; background: var(--fd-bg-raised); }
desk-composer:not([data-kind="text"]) .cp-foot { border-top: 1px solid var(--fd-line); }
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

.cp-alert { display: flex; align-items: center; gap: var(--fd-space-2); margin: var(--fd-space-2) var(--fd-space-3) 0;
  padding: var(--fd-space-2) var(--fd-space-3); border-radius: var(--fd-radius-md); background: var(--fd-danger-soft);
  color: var(--fd-danger); font-size: var(--fd-text-sm); flex: none; }

.cp-replaced:not(:empty) { display: flex; flex-wrap: wrap; align-items: center; gap: var(--fd-space-2); margin: var(--fd-space-2) var(--fd-space-3) 0;
  padding: var(--fd-space-2) var(--fd-space-3); border-radius: var(--fd-radius-md); background: var(--fd-bg-sunken);
  color: var(--fd-ink-2); font-size: var(--fd-text-sm); flex: none; }

desk-composer > finding-list { max-height: 180px; overflow-y: auto; border-top: 1px solid var(--fd-line);
  padding: var(--fd-space-2) var(--fd-space-3); flex: none; }
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

template-picker { display: block; margin: var(--fd-space-3); border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-2); overflow: auto; min-height: 0; flex: 0 1 auto; }
template-picker > p { padding: var(--fd-space-4); }
desk-composer:has(> template-picker:not([hidden])) > .cp-foot { display: none; }
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
.tp-actions { display: flex; justify-content: flex-end; gap: var(--fd-space-2); padding: var(--fd-space-3); }
.tp-actions:empty { display: none; }
@container composer (max-width: 600px) {
  .cp-foot { gap: 4px; }
  .cp-foot .cp-quiet .cp-icon { display: none; }
  .cp-foot .cp-button.cp-quiet { padding: 0 6px; }
  .cp-foot .cp-status { padding: 6px; flex: none; max-width: 100%; }
  .cp-foot .cp-quiet:not(.cp-companion) { min-width: 0; }
  .cp-foot .cp-quiet > span { overflow: hidden; text-overflow: ellipsis; }
  desk-composer:not([data-kind="text"]) .cp-companion > span { display: none; }
  .cp-foot .cp-companion { flex: none; min-width: 34px; }
  .cp-status span { overflow: hidden; text-overflow: ellipsis; }
}
@container composer (max-width: 860px) {
  .cp-tabs { gap: 0; }
  .cp-tab { padding-inline: 9px; }
  .cp-tab:not(.cp-tab-blocked) .cp-icon { display: none; }
}
@media (max-width: 640px) {
  .cp-foot { flex-wrap: wrap; }
  .cp-tab, .cp-button { min-height: 44px; }
  .cp-iconbutton, .cp-iconbutton.cp-small { min-width: 40px; min-height: 40px; }
}
/* Little height: the kinds scroll away with the form, and a text is beside its button. */
@media (max-height: 560px) {
  .cp-tabs { position: static; padding-top: 2px; }
  .cp-tab { padding-block: 4px; min-height: 32px; }
  .cp-foot { min-height: 0; padding: 6px var(--fd-space-3); }
  .cp-panel { padding: var(--fd-space-3); }
  desk-composer[data-kind="text"] { flex-flow: row wrap; align-items: flex-end; }
  desk-composer[data-kind="text"] > :not(.cp-panel, .cp-foot) { flex: 1 0 100%; }
  desk-composer[data-kind="text"] > .cp-panel { order: 1; flex: 1 1 160px; padding: 6px 2px 6px var(--fd-space-3); min-width: 0; }
  desk-composer[data-kind="text"] > .cp-foot { order: 2; flex: none; }
  desk-composer[data-kind="text"] .cp-text { min-height: 34px; max-height: max(34px, 20dvh); padding-top: 6px; }
  desk-composer[data-kind="text"] .cp-keys { display: none; }
  desk-composer[data-kind="text"] .cp-foot > .cp-grow { display: none; }
  @container composer (max-width: 460px) { .cp-foot .cp-companion > span { display: none; } }
}
`;

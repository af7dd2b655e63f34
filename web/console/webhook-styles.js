import { sheet } from "../lib/dom.js";

/** How the settings of webhooks look: the list, the form and the deliveries. */
export const webhookStyles = sheet(`
.webhook-list { display: grid; gap: 0; margin: 0; padding: 0; list-style: none; }
.webhook-item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px 12px; padding: 14px 0; border-top: 1px solid var(--fd-line); }
.webhook-item:first-child { border-top: 0; padding-top: 0; }
.webhook-item h3 { margin: 0; overflow-wrap: anywhere; }
.webhook-item p { margin: 2px 0 0; overflow-wrap: anywhere; }
.webhook-url { color: var(--fd-ink-2); font: var(--fd-text-xs) / 1.5 var(--fd-font-mono); }
.webhook-item .webhook-tags { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.webhook-tag { display: inline-flex; align-items: center; gap: 6px; padding: 2px 10px; border-radius: var(--fd-radius-full); background: var(--fd-bg-sunken); color: var(--fd-ink-2);
  font-size: var(--fd-text-xs); line-height: 20px; font-weight: 500; overflow-wrap: anywhere; }
.webhook-tag > svg { flex: none; }
.webhook-tag.is-ok { background: var(--fd-ok-soft); color: var(--fd-ok); }
.webhook-tag.is-warn { background: var(--fd-warn-soft); color: var(--fd-warn); }
.webhook-tag.is-danger { background: var(--fd-danger-soft); color: var(--fd-danger); }
.webhook-open { display: grid; gap: 4px; margin-top: 8px; padding: 10px 14px; border-radius: var(--fd-radius-sm); background: var(--fd-danger-soft); color: var(--fd-danger); }
.webhook-item details p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
.webhook-buttons { display: flex; align-items: start; gap: 6px; }
.webhook-buttons .is-icon { width: 36px; padding: 0; }
.webhook-item > .webhook-result { grid-column: 1 / -1; }
.webhook-result:empty { display: none; }
.webhook-types { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; padding: 12px 14px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm); }
.webhook-types[hidden] { display: none; }
.webhook-types p { margin: 0; }
.webhook-marks { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 0 16px; }
.webhook-types .mark span { font: var(--fd-text-xs) / 1.5 var(--fd-font-mono); overflow-wrap: anywhere; }
.webhook-header { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto; gap: 8px; margin-bottom: 8px; }
.webhook-header .is-icon { width: 36px; padding: 0; }
.webhook-attempt { width: 100%; min-width: 0; }
.webhook-attempt > p { margin-top: 6px; }
.webhook-attempt h4 { margin: 8px 0 4px; font-size: var(--fd-text-xs); color: var(--fd-ink-2); }
.webhook-attempt pre { margin: 0; padding: 8px 10px; border-radius: var(--fd-radius-sm); background: var(--fd-bg-sunken); font: var(--fd-text-xs) / 1.5 var(--fd-font-mono);
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 200px; overflow-y: auto; }
webhooks-panel .fd-segments { flex-wrap: wrap; justify-self: start; max-width: 100%; }
@media (max-width: 640px) { .webhook-item { grid-template-columns: minmax(0, 1fr); } .webhook-buttons .fd-button { min-height: 44px; } .webhook-buttons .is-icon { width: 44px; }
  .webhook-header { grid-template-columns: minmax(0, 1fr) auto; } .webhook-header input:nth-child(2) { grid-row: 2; } }
`);

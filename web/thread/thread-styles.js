/** The looks of a thread; only the tokens of tokens.css, so that it follows light and dark. */
export const threadStyles = `
:host { display: block; position: relative; min-height: 0; --fd-round: 15px; }
*, *::before, *::after { box-sizing: border-box; }
/* What is said last stands above the composer, also where it is little. */
.log { display: flex; flex-direction: column; height: 100%; overflow-y: auto; scroll-padding-top: var(--fd-thread-top, 0px); padding: calc(8px + var(--fd-thread-top, 0px)) max(10px, calc(50% - 360px)) 16px; scrollbar-gutter: stable both-edges;
  overscroll-behavior: contain; }
/* Rows are put in above what is in view: the thread keeps the place itself. */
.log.is-part { overflow-anchor: none; }
.log:focus-visible { outline: 2px solid var(--fd-focus); outline-offset: -2px; }
.log > * { flex: none; }
.rows { list-style: none; margin: auto 0 0; padding: 0; display: flex; flex-direction: column; gap: 4px; }
.divider { display: flex; align-items: center; gap: 12px; margin: 20px 0 8px;
  color: var(--fd-ink-3); font-size: var(--fd-text-xs); font-weight: 500; }
.divider::before, .divider::after { content: ""; flex: 1; height: 1px; background: var(--fd-line); }
.divider.is-unread { color: var(--fd-accent-text); scroll-margin-top: 16px; }
.divider.is-unread::before, .divider.is-unread::after { background: currentColor; opacity: 0.35; }
.message { display: flex; flex-direction: column; max-width: min(440px, 88%); }
.message.is-first { margin-top: 12px; }
.message:not(.is-first) { --fd-join: 5px; }
.message:not(.is-last) { --fd-tail: 5px; }
.message.is-ours { align-self: flex-end; align-items: flex-end; }
.message.is-theirs { align-self: flex-start; align-items: flex-start; }
:is(.message, .note).is-found { scroll-margin: 24px; border-radius: var(--fd-radius-md); outline: 2px solid var(--fd-accent);
  outline-offset: 6px; }
.message > .meta { display: flex; align-items: center; gap: 5px; }
.author-face { display: grid; place-items: center; flex: none; width: 18px; height: 18px; border-radius: 50%;
  background: hsl(var(--hue) var(--fd-face)); color: hsl(var(--hue) var(--fd-face-ink)); font: 600 8px / 1 var(--fd-font); }
.meta { margin: 0 6px 4px; color: var(--fd-ink-3); font-size: var(--fd-text-xs); }
.line { display: flex; align-items: center; gap: 6px; max-width: 100%; }
.is-ours .line { flex-direction: row-reverse; }
desk-card { min-width: 0; }
.wire { flex: none; min-width: 32px; min-height: 32px; padding: 0 6px; border: 0;
  border-radius: var(--fd-radius-sm); background: transparent; color: var(--fd-ink-3);
  font: 600 var(--fd-text-2xs) / 1 var(--fd-font-mono); cursor: pointer; opacity: 0;
  transition: opacity var(--fd-quick); }
.message:hover .wire, .wire:is(:focus-visible, [aria-expanded="true"]) { opacity: 1; }
.wire:hover { background: var(--fd-bg-hover); color: var(--fd-ink); }
@media (hover: none) { .wire { opacity: 1; } }
.translation { max-width: 60ch; margin: 4px 0 0; padding-inline-start: 10px; border-inline-start: 2px solid var(--fd-line-strong);
  color: var(--fd-ink-2); font-size: var(--fd-text-sm); white-space: pre-wrap; overflow-wrap: anywhere; }
.quote { display: grid; max-width: min(46ch, 100%); margin: 0 0 3px; padding: 4px 10px; border: 0; border-inline-start: 3px solid var(--fd-line-strong);
  border-radius: var(--fd-radius-sm); background: var(--fd-bg-sunken); color: var(--fd-ink-2); font: 400 var(--fd-text-sm) / 1.4 var(--fd-font); text-align: start; }
.quote strong { font-weight: 500; }
.quote span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button.quote { cursor: pointer; }
button.quote:hover { background: var(--fd-bg-hover); }
.seen { margin: 4px 8px 0; color: var(--fd-ok); font-size: var(--fd-text-xs); font-weight: 500; }
.seen.is-lost { color: var(--fd-danger); }
.warned { margin: 4px 2px 0; padding: 3px 10px; border: 0; border-radius: var(--fd-radius-full);
  background: var(--fd-warn-soft); color: var(--fd-warn); font: 500 var(--fd-text-xs) / 1.4 var(--fd-font);
  cursor: pointer; }
.tapback { display: grid; place-items: center; min-width: 34px; min-height: 30px; margin: -6px 10px 0; padding: 0 8px;
  border: 2px solid var(--fd-bg); border-radius: var(--fd-radius-full); background: var(--fd-bg-sunken);
  color: inherit; font: 400 1rem / 1 var(--fd-font); cursor: pointer; z-index: 1; }
.tapback:hover { background: var(--fd-bg-hover); }
.reaction { margin: 2px 8px 0; color: var(--fd-ink-3); font-size: var(--fd-text-xs); }
.standing { display: flex; gap: 6px; align-items: flex-start; margin: 4px 8px 0; color: var(--fd-ink-3);
  font-size: var(--fd-text-xs); overflow-wrap: anywhere; }
.standing svg { flex: none; margin-top: 2px; }
.standing strong { display: block; font-weight: 500; }
.standing small { display: block; font-size: inherit; }
.standing.is-bad { padding: 6px 10px; border-radius: var(--fd-radius-sm); background: var(--fd-danger-soft);
  color: var(--fd-danger); }
.standing.is-waiting { padding: 6px 10px; border-radius: var(--fd-radius-sm); background: var(--fd-warn-soft);
  color: var(--fd-warn); }
.note { align-self: stretch; margin: 10px 0; padding: 10px 14px; border-radius: var(--fd-radius-md);
  border: 1px solid color-mix(in srgb, var(--fd-note) 30%, transparent);
  background: var(--fd-note-soft); color: var(--fd-note); }
.note .meta { margin: 0 0 2px; color: inherit; font-weight: 600; }
.note .text { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--fd-ink); }
.note.is-for-reader { border-inline-start-width: 3px; border-inline-start-color: var(--fd-note); }
.note-head { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-height: 20px; }
.note-menu { display: grid; place-items: center; width: 32px; height: 28px; margin: -4px -6px -4px 0; padding: 0; border: 0; border-radius: var(--fd-radius-sm);
  background: none; color: inherit; cursor: pointer; }
.note-menu:hover { background: color-mix(in srgb, var(--fd-note) 14%, transparent); }
.mention { border-radius: 4px; color: var(--fd-accent-text); font-weight: 500; }
.mention.is-reader { padding: 0 3px; background: var(--fd-accent-soft); }
.is-scheduled .line { border-radius: 18px; outline: 1.5px dashed var(--fd-line-strong); outline-offset: 3px; }
.is-scheduled .scheduled-foot { margin-top: 8px; }
.scheduled-foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 2px 10px; margin: 4px 2px 0; color: var(--fd-ink-2);
  font-size: var(--fd-text-xs); font-variant-numeric: tabular-nums; }
.scheduled-failure { color: var(--fd-danger); }
.scheduled-button { min-height: 30px; padding: 0 12px; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-full);
  background: var(--fd-bg-raised); color: var(--fd-ink); font: 500 var(--fd-text-xs) / 1 var(--fd-font); cursor: pointer; }
.scheduled-button:hover { background: var(--fd-bg-hover); }
@media (max-width: 640px) { .scheduled-button { min-height: 44px; } .note-menu { width: 44px; height: 44px; margin: -12px -10px -12px 0; } }
.event { align-self: center; max-width: 100%; padding: 6px 0; color: var(--fd-ink-3); font-size: var(--fd-text-xs); text-align: center;
  overflow-wrap: anywhere; }
.down { position: absolute; inset: auto 0 10px; display: flex; align-items: center; gap: 6px; width: max-content; margin: 0 auto; min-height: 32px;
  padding: 0 14px 0 10px; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-full); background: var(--fd-bg-raised);
  color: var(--fd-ink-2); box-shadow: var(--fd-shadow-2); font: 500 var(--fd-text-sm) / 1 var(--fd-font); cursor: pointer; }
.down.is-plain { padding: 0 7px; }
.down.has-new { border-color: transparent; background: var(--fd-accent); color: var(--fd-accent-ink); }
.down[hidden] { display: none; }
@media (max-width: 640px) { .down { min-height: 40px; } }
.damaged { align-self: center; max-width: min(440px, 100%); margin: 12px 0; padding: 10px 16px;
  border: 1px dashed var(--fd-danger); border-radius: var(--fd-radius-lg); text-align: center; }
.damaged .text { margin: 0; color: var(--fd-danger); font-size: var(--fd-text-sm); font-weight: 500; }
.damaged .meta { margin: 4px 0 0; overflow-wrap: anywhere; }
.erased { margin: 0; padding: 8px 14px; border: 1px dashed var(--fd-line-strong);
  border-radius: var(--fd-radius-lg); color: var(--fd-ink-3); font-style: italic; }
.typing { display: flex; align-items: center; gap: 8px; margin: 12px 6px 0; color: var(--fd-ink-3);
  font-size: var(--fd-text-sm); }
.typing[hidden], .earlier[hidden] { display: none; }
.dots { display: inline-flex; gap: 4px; padding: 9px 12px; border-radius: var(--fd-radius-lg);
  background: var(--fd-bubble); }
.dots i { width: 7px; height: 7px; border-radius: 50%; background: var(--fd-ink-3);
  animation: breathe 1.2s infinite ease-in-out; }
.dots i:nth-child(2) { animation-delay: 0.15s; }
.dots i:nth-child(3) { animation-delay: 0.3s; }
@keyframes breathe { 0%, 60%, 100% { opacity: 0.35; } 30% { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .dots i { animation: none; } }
.earlier { align-self: center; margin: 12px auto; min-height: 36px; padding: 0 16px;
  border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-full);
  background: var(--fd-bg-raised); color: inherit; font: 500 var(--fd-text-sm) var(--fd-font);
  cursor: pointer; }
.empty { margin: 40px auto; color: var(--fd-ink-3); }
:focus-visible { outline: 2px solid var(--fd-focus); outline-offset: 2px; }
`;

import { sheet } from "../lib/dom.js";

/** How the commands and their keys look, where they are chosen and where they are listed. */
export const keyStyles = sheet(`
.key-rows { margin: 0; padding: 0; list-style: none; }
.key-rows li { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 40px; border-top: 1px solid var(--fd-line); }
.key-button { display: flex; align-items: center; gap: 4px; min-width: 44px; min-height: 32px; padding: 0 8px; border: 1px solid transparent;
  border-radius: var(--fd-radius-sm); background: none; color: var(--fd-ink-2); font-size: var(--fd-text-sm); cursor: pointer; }
.key-button:hover, .key-button.is-asking { border-color: var(--fd-line-strong); }
:is(.key-button, .keys) kbd { min-width: 22px; padding: 0 6px; border: 1px solid var(--fd-line-strong); border-radius: 5px; background: var(--fd-bg-raised);
  color: var(--fd-ink); font: 500 12px / 20px var(--fd-font); text-align: center; }
.dialog.key-sheet { width: min(940px, calc(100vw - 32px)); }
.key-groups { max-height: calc(100dvh - 220px); overflow-y: auto; }
/* Within what scrolls: columns of a limited height would go on beside each other. */
.key-columns { columns: 3 250px; column-gap: 28px; }
.key-groups .keys { gap: 5px 14px; margin-bottom: 12px; }
.key-groups h3 { break-after: avoid; }
.key-groups :is(dt, dd) { break-inside: avoid; }
@media (max-width: 720px) { .key-button { min-height: 44px; } }
`);

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
.key-groups { max-height: 60dvh; overflow-y: auto; }
@media (max-width: 720px) { .key-button { min-height: 44px; } }
`);

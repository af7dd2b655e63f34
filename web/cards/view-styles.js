import { sheet } from "../lib/dom.js";

/**
 * How rows, slots, bills and places look, in a card as in a sheet. A page that draws these views
 * outside a card adds this to `document.adoptedStyleSheets`.
 */
export const viewStyles = sheet(`
.fd-hidden-text {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.fd-sections, .fd-event { display: grid; gap: var(--fd-space-5); min-width: 0; }
.fd-section, .fd-day { border: 0; margin: 0; padding: 0; min-width: 0; }
.fd-section-title {
  display: flex; align-items: baseline; justify-content: space-between; gap: var(--fd-space-3);
  width: 100%; margin: 0 0 var(--fd-space-2); padding: 0 var(--fd-space-1);
  font-size: var(--fd-text-sm); font-weight: 600; color: var(--fd-ink-2); letter-spacing: 0;
}
.fd-section-title small { font-size: var(--fd-text-xs); font-weight: 400; color: var(--fd-ink-3); }
.fd-rows {
  list-style: none; margin: 0; padding: 0; overflow: hidden; background: var(--fd-bg-raised);
  border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md);
}
.fd-rows li + li { border-top: 1px solid var(--fd-line); }
.fd-row {
  position: relative; display: flex; align-items: center; gap: var(--fd-space-3);
  min-height: 52px; padding: var(--fd-space-2) var(--fd-space-3);
}
label.fd-row { cursor: pointer; transition: background var(--fd-quick); }
label.fd-row:hover { background: var(--fd-bg-hover); }
label.fd-row:active { background: var(--fd-bg-pressed); }
label.fd-row:has(input:checked) { background: var(--fd-accent-soft); }
label.fd-row:has(input:focus-visible), label.fd-slot:has(input:focus-visible) {
  outline: 2px solid var(--fd-focus); outline-offset: -2px;
}
.fd-row input, .fd-slot input {
  position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer;
}
.fd-row-picture {
  flex: none; width: 44px; height: 44px; object-fit: cover; border-radius: var(--fd-radius-sm);
  background: var(--fd-bg-sunken);
}
.fd-row.style-large .fd-row-picture { width: 64px; height: 64px; }
.fd-row-words { flex: 1; min-width: 0; display: grid; gap: 1px; overflow-wrap: anywhere; }
.fd-row-words strong { font-weight: 500; line-height: 1.3; }
.fd-row-words small { color: var(--fd-ink-2); font-size: var(--fd-text-sm); line-height: 1.35; }
.fd-tick {
  flex: none; display: grid; place-items: center; width: 24px; height: 24px;
  border: 1.5px solid var(--fd-field-line); border-radius: 50%; color: transparent;
}
input[type="checkbox"] + .fd-tick { border-radius: 7px; }
input:checked + .fd-tick, .fd-tick.is-on {
  background: var(--fd-accent); border-color: var(--fd-accent); color: var(--fd-accent-ink);
}
.fd-quiet { margin: 0; color: var(--fd-ink-3); font-size: var(--fd-text-sm); }
.fd-event-facts {
  display: flex; flex-wrap: wrap; gap: var(--fd-space-1) var(--fd-space-4);
  color: var(--fd-ink-2); font-size: var(--fd-text-sm);
}
.fd-event-facts:empty { display: none; }
.fd-event-facts span { display: inline-flex; align-items: center; gap: 6px; }
.fd-slots { display: grid; grid-template-columns: repeat(auto-fill, minmax(88px, 1fr)); gap: var(--fd-space-2); }
.fd-slot {
  position: relative; display: flex; flex-wrap: wrap; align-items: center; justify-content: center;
  gap: 0 4px; min-height: 44px; padding: var(--fd-space-1); text-align: center;
  border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); color: var(--fd-ink); font-weight: 500;
  font-variant-numeric: tabular-nums;
}
.fd-slot small { width: 100%; font-size: var(--fd-text-2xs); font-weight: 400; color: var(--fd-ink-2); }
label.fd-slot { cursor: pointer; transition: background var(--fd-quick), border-color var(--fd-quick); }
label.fd-slot:hover { border-color: var(--fd-accent-text); }
.fd-slot:has(input:checked), .fd-slot.is-chosen {
  background: var(--fd-accent); border-color: var(--fd-accent); color: var(--fd-accent-ink);
}
.fd-slot:has(input:checked) small, .fd-slot.is-chosen small { color: inherit; }
.fd-slot.is-past { color: var(--fd-ink-3); text-decoration: line-through; border-style: dashed; }
.fd-place {
  margin: 0; overflow: hidden; border: 1px solid var(--fd-line); background: var(--fd-bg-raised);
  border-radius: var(--fd-radius-md);
}
.fd-map { display: block; width: 100%; height: 116px; }
.fd-map .land { fill: var(--fd-map-land); }
.fd-map .park { fill: var(--fd-map-park); }
.fd-map .water { fill: none; stroke: var(--fd-map-water); stroke-width: 15; }
.fd-map .street { fill: none; stroke: var(--fd-map-street); stroke-width: 4; }
.fd-map .avenue { fill: none; stroke: var(--fd-map-avenue); stroke-width: 7; }
.fd-map .ring {
  fill: var(--fd-accent-text); fill-opacity: 0.16; stroke: var(--fd-accent-text);
  stroke-opacity: 0.6; stroke-width: 1.5;
}
.fd-map .pin { fill: #e2374a; }
.fd-map .eye { fill: #fff; }
.fd-place figcaption {
  display: flex; align-items: center; gap: var(--fd-space-2);
  padding: var(--fd-space-2) var(--fd-space-3); color: var(--fd-ink-2);
}
.fd-place figcaption > span { display: grid; min-width: 0; }
.fd-place strong { color: var(--fd-ink); font-weight: 500; overflow-wrap: anywhere; }
.fd-place small { font-size: var(--fd-text-xs); }
.fd-bill { display: grid; gap: 6px; margin: 0; }
.fd-bill > div { display: flex; justify-content: space-between; gap: var(--fd-space-4); }
.fd-bill dt { min-width: 0; overflow-wrap: anywhere; }
.fd-bill dt small { margin-inline-start: 6px; color: var(--fd-ink-3); }
.fd-bill dd { margin: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
.fd-bill-line { color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
.fd-bill-total {
  margin-top: 2px; padding-top: var(--fd-space-2); border-top: 1px solid var(--fd-line);
  font-weight: 600;
}
`);

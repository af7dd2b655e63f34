import { sheet } from "../lib/dom.js";

/** The looks of the reports page, which few open: they come with it. */
export const reportStyles = sheet(`
  .reports { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; max-width: 1040px; padding: 24px 32px 64px; }
  .reports h1 { font-size: var(--fd-text-xl); }
  .reports h2 { font-size: var(--fd-text-md); }
  .reports-page { min-height: 100%; background: var(--fd-bg-sunken); }
  .report-choices { display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: end; }
  .report-choices .fd-input { width: auto; min-width: 130px; }
  .report-tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(190px, 45%), 1fr)); gap: 12px; margin: 0; }
  .report-tile { display: grid; gap: 2px; align-content: start; padding: 12px 14px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md);
    background: var(--fd-bg-raised); }
  .report-tile dt { color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
  .report-tile dd { margin: 0; font-size: var(--fd-text-xl); font-weight: 600; font-variant-numeric: tabular-nums; }
  .report-tile .fd-help { font-size: var(--fd-text-xs); font-weight: 400; }
  .report-figure { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; margin: 0; padding: 16px 18px; border: 1px solid var(--fd-line);
    border-radius: var(--fd-radius-md); background: var(--fd-bg-raised); }
  .report-figure figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; }
  .report-figure summary { color: var(--fd-accent-text); font-size: var(--fd-text-sm); cursor: pointer; }
  .report-plot { width: 100%; height: 220px; overflow: visible; }
  .report-line { stroke: var(--fd-line); }
  .report-mark { fill: var(--fd-ink-3); font-size: 12px; font-variant-numeric: tabular-nums; }
  .report-bar.is-0 { fill: var(--fd-accent); }
  .report-bar.is-1 { fill: var(--fd-ok); }
  .report-scores { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none; }
  .report-scores li { display: grid; grid-template-columns: 64px minmax(0, 1fr) 96px; gap: 12px; align-items: center; font-variant-numeric: tabular-nums; }
  .report-score-track { height: 12px; border-radius: 6px; background: var(--fd-bg-sunken); overflow: hidden; }
  .report-score-bar { display: block; height: 100%; border-radius: 6px; background: var(--fd-accent); }
  .report-score-count { text-align: end; color: var(--fd-ink-2); }
  .report-legend { display: flex; gap: 16px; margin: 0; color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
  .report-legend span { display: inline-flex; align-items: center; gap: 6px; }
  .report-swatch { width: 10px; height: 10px; border-radius: 3px; }
  .report-swatch.is-0 { background: var(--fd-accent); }
  .report-swatch.is-1 { background: var(--fd-ok); }
  .report-table :is(td, th + th) { text-align: end; font-variant-numeric: tabular-nums; }
  .report-table thead th { white-space: normal; vertical-align: bottom; }
  .report-table th[scope="row"] { font-weight: 500; text-align: start; }
  .report-figure .table-frame { max-height: 320px; overflow: auto; margin-top: 8px; }
  @media (max-width: 720px) {
    .reports { padding: 16px 14px 48px; }
    .report-figure { padding: 12px; }
  }
`);

import { sheet } from "../lib/dom.js";

/** How entry links, and the deliveries of a gateway or webhook, look. */
export const linkStyles = sheet(`
entry-links { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; }
.link-card { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 20px; padding: 16px 0 0; border-top: 1px solid var(--fd-line); }
.link-card .stack { max-width: none; }
.link-card .form-actions { justify-content: flex-start; }
.qr { width: 168px; height: 168px; padding: 8px; border-radius: var(--fd-radius-md); background: #fff; }
.deliveries { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.deliveries ul { border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); font-size: var(--fd-text-sm); }
.deliveries li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; padding: 10px 14px; justify-items: start; }
.deliveries li + li { border-top: 1px solid var(--fd-line); }
.delivery-head { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; font-weight: 600; }
.delivery-head .fd-help { font-weight: 400; }
.deliveries .reason { overflow-wrap: anywhere; }
gateway-deliveries, gateway-deliveries > .link-part { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; }
.counts { display: flex; flex-wrap: wrap; gap: 8px; }
.count { padding: 4px 12px; border-radius: var(--fd-radius-full); background: var(--fd-bg-sunken);
  font-size: var(--fd-text-sm); font-weight: 600; }
.count.is-ok { background: var(--fd-ok-soft); color: var(--fd-ok); }
.count.is-pending { background: var(--fd-warn-soft); color: var(--fd-warn); }
.count.is-dead { background: var(--fd-danger-soft); color: var(--fd-danger); }
@media (max-width: 720px) {
  .link-card { grid-template-columns: minmax(0, 1fr); justify-items: start; }
}
`);

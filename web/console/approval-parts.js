import { api } from "../lib/api.js";
import { adopt, h, sheet } from "../lib/dom.js";
import { detailsOf } from "./approval-words.js";

const styles = sheet(`
.approval-details { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); gap: 4px 16px; margin: 0; overflow-wrap: anywhere; }
.dialog > .approval-details { margin: 8px 0 12px; }
.approval-details dt { color: var(--fd-ink-2); }
.approval-details dd { margin: 0; }
@media (max-width: 640px) { .approval-details { grid-template-columns: minmax(0, 1fr); gap: 0; } .approval-details dd { margin-bottom: 6px; } }
`);

/**
 * What a second person has to see of a request, where there is more than its sentence says.
 * @param {import("./approval-words.js").Approval} approval @param {import("./approval-words.js").Names} names
 */
export function detailList(approval, names) {
  adopt(styles);
  const details = detailsOf(approval, names);
  // A value may have another direction of writing, or turn it.
  return details.length ? h("dl", { class: "approval-details" }, details.map(([name, value]) => [h("dt", null, name), h("dd", null, h("bdi", null, value))])) : null;
}

/**
 * The names behind the ids of requests, as far as the person may read them; ids stay ids otherwise.
 * @param {string} business @param {import("./approval-words.js").Approval[]} approvals @param {any} session
 * @returns {Promise<import("./approval-words.js").Names>}
 */
export async function namesOf(business, approvals, session) {
  const path = `/api/businesses/${business}`;
  const isNamed = (name) => approvals.some(({ details }) => details[name]);
  // Safe: without the list the ids are shown.
  const read = (name, list) => (isNamed(name) ? api.getAll(`${path}/${list}`).catch(() => []) : []);
  const [members, keys, webhooks] = await Promise.all([read("agent", "members"), read("key", "keys"), read("webhook", "webhooks")]);
  return { members, keys, webhooks, businesses: session.businesses };
}

import { api } from "../lib/api.js";
import { customerName } from "../lib/names.js";

/**
 * Contacts with what lists call them: one without a name is called as its customer is, whose conversation has its id.
 * @template {{id: string, name: string|null}} T
 * @param {T[]} contacts
 * @returns {Promise<(T & {shown: string|null})[]>} `shown` is null where the customer could not be read
 */
export function nameContacts(contacts) {
  return Promise.all(contacts.map(async (one) => {
    if (one.name) return { ...one, shown: one.name };
    // Safe: where it cannot be read, the page says so by its own words.
    const conversation = await api.get(`/api/conversations/${one.id}`).catch(() => null);
    return { ...one, shown: conversation && customerName({ customer: conversation.customer }) };
  }));
}

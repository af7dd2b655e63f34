import { api } from "../lib/api.js";
import { ReadAgain } from "../lib/read-again.js";

/** Reads conversations again of which content was erased; a whole one that is erased is thousands of events. */
export class ErasedRows extends ReadAgain {
  /** @param {(conversation: object) => void} put */
  constructor(put) {
    super((id) => {
      api.get(`/api/conversations/${id}`).then(put, () => {});  // Safe: read again with the list.
    });
  }

  /**
   * A person was erased: the rows of the contact have less to say.
   * @param {string} contact
   * @param {import("./conversation-store.js").ConversationStore[]} lists
   * @param {{id: string, contact?: {id: string}}} [open] the open conversation
   */
  askPerson(contact, lists, open) {
    const belongs = (one) => one.contact?.id === contact;
    for (const { id } of lists.flatMap((list) => list.rows(belongs))) this.ask(id);
    if (open && belongs(open)) this.ask(open.id);
  }
}

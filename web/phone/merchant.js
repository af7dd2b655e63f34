import { list, record, words } from "../cards/card-model.js";

/** What `pay` answers when the server could not be reached. */
export const OFFLINE = "offline";

/**
 * The merchant behind a payment sheet. The server calls its endpoints, as a device would: the page calls
 * the server, and only for changes for which the request names an endpoint.
 */
export class Merchant {
  #conversation;
  #message;
  #endpoints;
  #turn = 0;
  /** Settled when every change so far has its answer. */
  #answers = Promise.resolve();

  /**
   * @param {import("./conversation.js").Conversation} conversation
   * @param {any} message the payment request
   */
  constructor(conversation, message) {
    this.#conversation = conversation;
    this.#message = message;
    const data = record(record(record(message.payload).interactiveData).data);
    const payment = record(data.payment);
    this.#endpoints = record(payment.endpoints);
    const { applePay } = record(record(payment.paymentRequest));
    /** The card network that the test card is of. */
    this.network = words(list(record(applePay).supportedNetworks)[0]) || "visa";
    /** The kinds of card that the merchant accepts. */
    const capabilities = list(record(applePay).merchantCapabilities).map(words);
    const named = ["credit", "debit"].filter((kind) => capabilities.includes(
      `supports${kind[0].toUpperCase()}${kind.slice(1)}`));
    this.cards = named.length > 0 ? named : ["credit", "debit"];
  }

  /**
   * Pays with the test card.
   * @param {string} id
   * @param {Record<string, any>} payment
   * @returns {Promise<null|{status: string, detail: string}>} null when it is paid, else what the
   *   merchant said or why there is no answer
   */
  async pay(id, payment) {
    try {
      await this.#conversation.pay(id, this.#message.id, payment);
      return null;
    } catch (problem) {
      if (problem.mayRetry) return { status: OFFLINE, detail: "" };
      const code = problem.code === "not_offered" ? "not_offered" : "unreachable";
      return { status: words(problem.body?.paymentStatus) || code, detail: problem.detail ?? "" };
    }
  }

  /**
   * Requests the merchant's update after a change.
   * @param {"paymentMethod"|"shippingContact"|"shippingMethod"} kind
   * @param {any} value
   * @returns {Promise<null|{update: Record<string, any>, problem: any}>} null when nothing is asked, or
   *   something newer was asked meanwhile
   */
  change(kind, value) {
    const answer = this.#ask(kind, value);
    this.#answers = Promise.all([this.#answers, answer]);
    return answer;
  }

  /**
   * Waits for the answers to all changes so far: a payment has what they said, and a late one cannot hide
   * why it was refused.
   */
  async answered() {
    await this.#answers;
  }

  async #ask(kind, value) {
    if (!words(this.#endpoints[`${kind}UpdateUrl`]) || value === null) return null;
    this.#turn += 1;
    const turn = this.#turn;
    try {
      const { update, problem } =
        record(await this.#conversation.askMerchant(this.#message.id, { [kind]: value }));
      return turn === this.#turn ? { update: record(update), problem: problem ?? null } : null;
    } catch (problem) {
      // As on a device: without an answer the total stays unchanged, and the sheet says so.
      return turn === this.#turn
        ? { update: {}, problem: { code: OFFLINE, detail: problem.detail ?? "" } } : null;
    }
  }
}

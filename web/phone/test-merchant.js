import { list, record, words } from "../cards/card-model.js";
import { api } from "../lib/api.js";

/** What `pay` answers when the merchant could not be reached. */
export const OFFLINE = "offline";

/**
 * The merchant's endpoints, as a device talks to them while the payment sheet is open. Only our own
 * test merchant is talked to: the page knows no one else, and money is never meant.
 */
export class TestMerchant {
  #endpoints;
  #request;
  #network;
  #turn = 0;

  /** @param {any} payload the payment request */
  constructor(payload) {
    const data = record(record(record(payload).interactiveData).data);
    const payment = record(data.payment);
    this.#endpoints = record(payment.endpoints);
    this.#request = { version: "1.0", requestIdentifier: words(data.requestIdentifier) };
    const { applePay } = record(payment.paymentRequest);
    this.#network = words(list(record(applePay).supportedNetworks)[0]) || "visa";
  }

  /**
   * Pays with an invented card.
   * @param {Record<string, any>|null} contact
   * @returns {Promise<string|null>} null when it is paid, else the status, or `OFFLINE`
   */
  async pay(contact) {
    const path = this.#path("paymentGatewayUrl");
    if (!path) return null;
    try {
      const { status } = record(await api.post(path, {
        ...this.#request,
        payment: {
          ...(contact ? { shippingContact: contact } : {}),
          paymentToken: { paymentMethod: {
            displayName: "Test 0000", network: this.#network, type: "credit",
          } },
        },
      }));
      return words(status) === "STATUS_SUCCESS" ? null : words(status) || "STATUS_FAILURE";
    } catch (problem) {
      return problem.mayRetry ? OFFLINE : "STATUS_FAILURE";
    }
  }

  /**
   * Asks what another delivery costs.
   * @param {{identifier: string, label: string, detail: string, amount: string}|null} method
   * @returns {Promise<Record<string, any>|null>} null when nothing changes or something newer was asked
   */
  async changeMethod(method) {
    const path = this.#path("shippingMethodUpdateUrl");
    if (!path || !method) return null;
    this.#turn += 1;
    const turn = this.#turn;
    try {
      const news = await api.post(path, {
        ...this.#request,
        payment: { shippingMethod: {
          identifier: method.identifier, label: method.label, detail: method.detail,
          amount: method.amount, type: "Final",
        } },
      });
      return turn === this.#turn ? record(news) : null;
    } catch {
      return null;  // Safe: without an answer the total stays as requested, as on a device.
    }
  }

  /** By path: the public name of the house may differ from the one this phone came by. */
  #path(name) {
    try {
      const url = new URL(words(this.#endpoints[name]));
      return url.pathname.startsWith("/pay/") ? url.pathname + url.search : null;
    } catch {
      return null;  // Safe: no such endpoint.
    }
  }
}

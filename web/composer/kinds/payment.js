/** A request for money. */
import { currencyDigits, formatAmount, parseAmount, sumAmounts } from "../decimal.js";
import { cardsOf, featureOf, wordsOf } from "../payload-reading.js";
import { PictureSet, cardText, interactive, stated } from "../payloads.js";

export default {
  kind: "payment", tag: "payment-form",
  drawing: "M3 6.5A1.5 1.5 0 0 1 4.5 5h11A1.5 1.5 0 0 1 17 6.5v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 13.5zM3 8.5h14M6 12h2",
  words: {
    en: { title: "Payment request" },
    ja: { title: "お支払いのお願い" },
  },
  speaksOf: featureOf("payment"), read,
  make: (draft, envelope) => paymentPayload(draft, envelope, null),
};

/** The most bytes of UTF-8 that a merchant session has for the name. */
const sessionNameBytes = 64;

/** A merchant's name as long as its session may have it; the request itself has all of it. @param {string} name */
export function sessionName(name) {
  const letters = [...name];
  while (new TextEncoder().encode(letters.join("")).length > sessionNameBytes) letters.pop();
  return letters.join("").trim();
}

/** The total of a payment draft in minor units. */
export function paymentTotal(draft) {
  const amounts = draft.lineItems.map((item) => item.amount);
  const shipping = draft.shippingMethods.find((method) => method.label.trim());
  return sumAmounts(shipping ? [...amounts, shipping.amount] : amounts, draft.currency);
}

/**
 * A payment request. The total is the sum of the lines and the first shipping method.
 * @param {object} draft
 * @param {import("../payloads.js").Envelope} context
 * @param {{merchantSession: object, endpoints: object}|null} merchant
 */
export function paymentPayload(draft, context, merchant) {
  const pictures = new PictureSet();
  const digits = currencyDigits(draft.currency);
  const amountText = (text) => {
    const units = parseAmount(text, digits);
    return units === null ? text : formatAmount(units, digits);
  };
  const receivedMessage = cardText(draft.received, pictures);
  const lines = draft.lineItems.filter((item) => item.label.trim() || item.amount.trim());
  const methods = draft.shippingMethods.filter((method) => method.label.trim());
  const lineItems = lines.map(({ label, amount, type }) => ({
    label, amount: amountText(amount), type,
  }));
  if (methods.length) {
    lineItems.push({ label: methods[0].label, amount: amountText(methods[0].amount), type: "final" });
  }
  const list = (name, values) => (values.length ? { [name]: values } : {});
  const paymentRequest = {
    applePay: {
      merchantIdentifier: draft.merchantIdentifier,
      supportedNetworks: draft.networks,
      merchantCapabilities: draft.capabilities,
    },
    ...stated({ merchantName: draft.merchantName }),
    countryCode: draft.country,
    currencyCode: draft.currency,
    ...list("lineItems", lineItems),
    total: {
      label: draft.merchantName,
      amount: formatAmount(paymentTotal(draft), digits),
      type: lines.some((item) => item.type === "pending") ? "pending" : "final",
    },
    ...list("requiredBillingContactFields", draft.billingFields),
    ...list("requiredShippingContactFields", draft.shippingFields),
    ...list("shippingMethods", methods.map(({ identifier, label, detail, amount }) => ({
      identifier, label, detail, amount: amountText(amount),
    }))),
  };
  const payment = {
    paymentRequest,
    ...(merchant ? { merchantSession: merchant.merchantSession, endpoints: merchant.endpoints } : {}),
  };
  return interactive(context, { payment }, pictures, { receivedMessage });
}

function read(payload) {
  const { receivedMessage, data } = payload.interactiveData;
  const { paymentRequest: request } = data.payment;
  const methods = (request.shippingMethods ?? []).map(({ identifier, label, detail, amount }) => ({
    identifier, label, detail: wordsOf(detail), amount,
  }));
  // The first shipping method is among the lines too; the form adds it there itself.
  const lines = (request.lineItems ?? []).slice(0, methods.length ? -1 : undefined);
  return {
    received: cardsOf(payload).card(receivedMessage), merchantIdentifier: request.applePay.merchantIdentifier,
    merchantName: wordsOf(request.merchantName), country: request.countryCode, currency: request.currencyCode,
    lineItems: lines.map(({ label, amount, type }) => ({ label, amount, type: type ?? "final" })),
    shippingMethods: methods, networks: request.applePay.supportedNetworks,
    capabilities: request.applePay.merchantCapabilities, billingFields: request.requiredBillingContactFields ?? [],
    shippingFields: request.requiredShippingContactFields ?? [],
  };
}

/** A request for money and its outcome. */
import { h } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { t } from "../../lib/i18n.js";
import { formatMoney } from "../../lib/time.js";
import { faceView, tile } from "../card-parts.js";
import { list, readFace, record, words } from "../card-model.js";
import { paymentView } from "../payment-view.js";

export default {
  kind: "payment", features: ["payment"], answeredBy: "sheet", card, answer,
  /** Whether an answer ends it, so that it is offered no more. */
  isSettledBy: (reply) => isPaid(readPayment(reply)),
};

/** The payment request. @param {unknown} payload */
export function readPayment(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const payment = record(data.payment);
  const request = record(payment.paymentRequest);
  const line = (value) => {
    const { label, amount, type } = record(value);
    return { label: words(label), amount: words(amount), isPending: type === "pending" };
  };
  return {
    merchant: words(request.merchantName) || words(record(request.total).label),
    currency: words(request.currencyCode), country: words(request.countryCode),
    lines: list(request.lineItems).map(line), total: line(request.total),
    methods: list(request.shippingMethods).map((method) => {
      const { identifier, label, detail, amount } = record(method);
      return {
        identifier: words(identifier), label: words(label), detail: words(detail),
        amount: words(amount),
      };
    }),
    shippingFields: list(request.requiredShippingContactFields).map(words),
    billingFields: list(request.requiredBillingContactFields).map(words),
    fallbackUrl: words(record(payment.endpoints).fallbackUrl),
    state: words(payment.state), status: words(payment.status),
  };
}

/** Whether a result says that it was paid: what its state and its status contradict each other in was not. */
function isPaid({ state, status }) {
  return state === "success" && (status === "" || status === "STATUS_SUCCESS");
}

function card(payload, reply) {
  const model = readPayment(payload);
  const face = readFace(payload);
  const state = reply ? readPayment(reply) : null;
  return {
    kind: "payment", label: face.title || t("card.payment"),
    face: [
      faceView(face, tile("card"), face.title || t("card.payment"), model.merchant),
      h("div", { class: "bill" }, paymentView(model, { maxLines: 4 })),
    ],
    hint: t("card.pay", { amount: formatMoney(model.total.amount, model.currency) }),
    details: null, mark: state && paymentMark(state.state, state.status),
  };
}

function answer(payload) {
  const { state, status } = readPayment(payload);
  return {
    kind: "payment", label: t("card.payment"), face: paymentMark(state, status), details: null,
  };
}

function paymentMark(state, status) {
  const known = {
    success: ["paid", "check", "ok"], canceled: ["paymentCanceled", "close", "quiet"],
    paymentNotCompleted: ["paymentNotCompleted", "close", "quiet"],
    failure: ["paymentFailed", "alert", "bad"],
  };
  // An unknown state is no failure: it is shown as it is.
  const shown = state === "success" && !isPaid({ state, status }) ? "paymentNotCompleted" : state;
  const [name, drawing, kind] = Object.hasOwn(known, shown) ? known[shown]
    : ["paymentState", "card", "quiet"];
  return h("div", { class: `mark is-${kind}` }, icon(drawing, 16), h("span", null,
    t(`card.${name}`, { state }), shown !== "success" && status && h("small", null, status)));
}

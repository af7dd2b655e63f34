import { readPayment, record, words } from "../cards/card-model.js";
import { paymentView } from "../cards/payment-view.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { formatMoney } from "../lib/time.js";
import { confirmButton } from "./answer-sheets.js";
import { openSheet } from "./bottom-sheet.js";
import { OFFLINE, TestMerchant } from "./test-merchant.js";

const FAILURES = [
  "STATUS_FAILURE", "STATUS_INVALID_BILLING_POSTAL_ADDRESS",
  "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS", "STATUS_INVALID_SHIPPING_CONTACT",
  "STATUS_PIN_REQUIRED", "STATUS_PIN_INCORRECT", "STATUS_PIN_LOCKOUT",
];

const LONG = ["addressLines", "emailAddress", "phoneNumber"];

/**
 * The payment sheet of a phone, plainly a test: contact, delivery, total, and how it shall end.
 * @param {any} message
 * @param {import("./answer-sheets.js").Answer} answer
 */
export function openPaymentSheet(message, answer) {
  const model = readPayment(message.payload);
  const merchant = new TestMerchant(message.payload);
  const bill = { lines: model.lines, total: model.total, currency: model.currency };
  const chosen = { outcome: "success", status: FAILURES[0], method: model.methods[0] ?? null };
  const contact = contactFields(model.shippingFields.concat(model.billingFields));
  const billNode = h("div", { class: "pay-bill", "aria-live": "polite" }, paymentView(bill));
  const refusal = h("p", { class: "pay-refusal", role: "alert", hidden: true });
  const confirm = confirmButton(async (id) => {
    refusal.hidden = true;
    const refused = chosen.outcome === "success"
      ? await merchant.pay(contact.isAsked ? contact.read() : null) : null;
    if (refused) return refuse(refused);
    answer(id, { payment: choiceOf(chosen, contact) }, t(`phone.pay.${chosen.outcome}`));
    sheet.close();
  });
  const refuse = (status) => {
    // As on a device: the sheet stays, says what is wrong, and lets it be put right.
    replace(refusal, icon("alert", 18), h("span", null, status === OFFLINE
      ? t("shared.problem.offline") : `${reasonOf(status)} (${status})`));
    refusal.hidden = false;
    confirm.again();
    refresh();
    refusal.scrollIntoView({ block: "nearest" });
  };
  const status = h("select", {
    class: "fd-input", id: "pay-status", onChange: () => {
      chosen.status = status.value;
    },
  }, FAILURES.map((name) => h("option", { value: name }, `${reasonOf(name)} (${name})`)));
  const statusField = h("div", { class: "fd-field", hidden: true },
    h("label", { for: "pay-status" }, t("phone.pay.status")), status);
  const refresh = () => {
    statusField.hidden = chosen.outcome !== "failure";
    const amount = formatMoney(bill.total.amount, bill.currency);
    confirm.set(true, chosen.outcome === "success" ? t("phone.pay.confirm", { amount })
      : chosen.outcome === "failure" ? t("phone.pay.confirmFail", { amount })
        : t("phone.pay.confirmCancel"));
  };
  const chooseMethod = async (value) => {
    chosen.method = model.methods.find((method) => method.identifier === value) ?? null;
    const news = await merchant.changeMethod(chosen.method);
    if (!news) return;
    if (news.newTotal) bill.total = readLine(news.newTotal);
    if (Array.isArray(news.newLineItems)) bill.lines = news.newLineItems.map(readLine);
    replace(billNode, paymentView(bill));
    refresh();
  };
  refresh();
  const outcomes = ["success", "failure", "canceled"].map((value) => ({
    value, title: t(`phone.pay.${value}`), hint: "", side: "",
  }));
  const methods = model.methods.map((method) => ({
    value: method.identifier, title: method.label, hint: method.detail,
    side: formatMoney(method.amount, model.currency),
  }));
  const contactTitle = t(contact.hasAddress ? "phone.pay.shippingAddress" : "phone.pay.contact");
  const sheet = openSheet({
    title: model.merchant || t("phone.sheet.payment"), kind: "is-payment", footer: confirm.node,
    content: [
      h("p", { class: "test-banner" }, icon("alert", 18),
        h("span", null, h("strong", null, t("phone.pay.banner")), " ", t("phone.pay.bannerHint"))),
      contact.isAsked && section(contactTitle, contact.node),
      methods.length > 0 && section(t("phone.pay.method"), choices(
        "pay-method", t("phone.pay.method"), methods, chosen.method?.identifier, chooseMethod)),
      section(t("phone.pay.summary"), billNode),
      section(t("phone.pay.outcome"), [
        choices("pay-outcome", t("phone.pay.outcome"), outcomes, chosen.outcome, (value) => {
          chosen.outcome = value;
          refresh();
        }),
        statusField, refusal,
      ]),
    ],
  });
}

/** What goes to the house. */
function choiceOf(chosen, contact) {
  if (chosen.outcome === "canceled") return { outcome: "canceled" };
  return {
    outcome: chosen.outcome,
    ...(chosen.outcome === "failure" ? { status: chosen.status } : {}),
    ...(chosen.method ? { shippingMethod: chosen.method.identifier } : {}),
    ...(contact.isAsked ? { shippingContact: contact.read() } : {}),
  };
}

function reasonOf(status) {
  return FAILURES.includes(status) ? t(`phone.pay.${status}`) : t("phone.pay.STATUS_FAILURE");
}

function readLine(value) {
  const { label, amount, type } = record(value);
  return { label: words(label), amount: words(amount), isPending: type === "pending" };
}

function section(title, content) {
  return h("section", { class: "pay-section", "aria-label": title }, h("h3", null, title), content);
}

function choices(name, label, entries, current, choose) {
  return h("div", { role: "radiogroup", "aria-label": label }, h("ul", { class: "fd-rows" },
    entries.map((entry) => h("li", null,
    h("label", { class: "fd-row" },
      h("span", { class: "fd-row-words" }, h("strong", null, entry.title),
        entry.hint && h("small", null, entry.hint)),
      entry.side && h("span", { class: "pay-side" }, entry.side),
      h("input", {
        type: "radio", name, value: entry.value, ".checked": entry.value === current,
        onChange: () => choose(entry.value),
      }),
      h("span", { class: "fd-tick" }, icon("check", 15)))))));
}

/** The fields that the request asks for, filled with an invented person. */
function contactFields(asked) {
  const has = (...names) => asked.some((name) => names.includes(name));
  const fields = [];
  const add = (key, label, sample, autocomplete, type = "text") => fields.push({
    key, input: h("input", {
      class: "fd-input", id: `pay-${key}`, type, value: sample, autocomplete, maxlength: 200,
    }), label,
  });
  const sample = (key) => t(`phone.pay.sample.${key}`);
  if (has("name", "phoneticName")) {
    add("givenName", t("phone.pay.name"), sample("given"), "off");
    add("familyName", t("phone.pay.family"), sample("family"), "off");
  }
  const hasAddress = has("post", "postalAddress");
  if (hasAddress) {
    add("addressLines", t("phone.pay.street"), sample("street"), "off");
    add("locality", t("phone.pay.city"), sample("city"), "off");
    add("postalCode", t("phone.pay.postalCode"), sample("postalCode"), "off");
    add("countryCode", t("phone.pay.country"), sample("country"), "off");
  }
  if (has("email")) add("emailAddress", t("phone.pay.email"), "alex@example.com", "off", "email");
  if (has("phone")) add("phoneNumber", t("phone.pay.phone"), sample("phone"), "off", "tel");
  return {
    isAsked: fields.length > 0, hasAddress,
    node: h("div", { class: "pay-contact" }, fields.map((field) =>
      h("div", { class: `fd-field${LONG.includes(field.key) ? " is-long" : ""}` },
        h("label", { for: field.input.id }, field.label), field.input))),
    read: () => Object.fromEntries(fields.filter(({ input }) => input.value.trim() !== "")
      .map(({ key, input }) => {
        const text = input.value.trim();
        return [key, key === "addressLines" ? [text] : text];
      })),
  };
}

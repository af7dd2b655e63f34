import { list, record, words } from "../cards/card-model.js";
import { readPayment } from "../cards/kinds/payment.js";
import { paymentView } from "../cards/payment-view.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { safeHref } from "../lib/link-text.js";
import { formatMoney } from "../lib/time.js";
import { confirmButton } from "./answer-sheets.js";
import { openSheet } from "./bottom-sheet.js";
import { Merchant, OFFLINE } from "./merchant.js";
import { contactFields } from "./payment-contact.js";

const FAILURES = [
  "STATUS_FAILURE", "STATUS_INVALID_BILLING_POSTAL_ADDRESS",
  "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS", "STATUS_INVALID_SHIPPING_CONTACT",
  "STATUS_PIN_REQUIRED", "STATUS_PIN_INCORRECT", "STATUS_PIN_LOCKOUT",
];
const OUTCOMES = ["success", "failure", "timeout", "canceled"];

/**
 * The sheets that were closed while the customer paid, until it is known to have succeeded: the card opens the same one again,
 * with what was entered and under the same id, so that nothing is paid twice.
 * @type {Map<string, PaymentSheet>}
 */
const left = new Map();

/**
 * The payment sheet of a phone, plainly a test: contact, delivery, card, total, and how it shall end.
 * @param {any} message
 * @param {import("./conversation.js").Conversation} conversation
 * @param {import("./answer-sheets.js").Answer} answer
 */
export function openPaymentSheet(message, conversation, answer) {
  (left.get(message.id) ?? new PaymentSheet(message, conversation, answer)).open();
}

class PaymentSheet {
  #message;
  #conversation;
  #answer;
  #model;
  #merchant;
  #bill;
  #methods;
  #chosen;
  #contact;
  #confirm;
  #sheet = null;
  #isPaying = false;
  #billNode = h("div", { class: "pay-bill", "aria-live": "polite" });
  #methodNode = h("section", { class: "pay-section" });
  #note = h("p", { class: "pay-refusal", role: "alert", hidden: true });
  #statusField = h("div", { class: "fd-field", hidden: true });

  constructor(message, conversation, answer) {
    this.#message = message;
    this.#conversation = conversation;
    this.#answer = answer;
    this.#model = readPayment(message.payload);
    this.#merchant = new Merchant(conversation, message);
    const { lines, total, currency, methods, shippingFields, billingFields } = this.#model;
    this.#bill = { lines, total, currency };
    this.#methods = methods;
    this.#chosen = {
      outcome: "success", status: FAILURES[0], method: methods[0] ?? null,
      card: this.#merchant.cards[0],
    };
    this.#contact = contactFields(shippingFields.concat(billingFields), () => this.#changeContact());
    this.#confirm = confirmButton((id) => this.#leave(id));
  }

  open() {
    const title = t(this.#contact.hasAddress ? "phone.pay.shippingAddress" : "phone.pay.contact");
    this.#drawBill();
    this.#drawMethods();
    this.#drawStatus();
    this.#refresh();
    this.#sheet = openSheet({
      title: this.#model.merchant || t("phone.sheet.payment"), kind: "is-payment",
      footer: this.#confirm.node, onClose: () => this.#isPaying && left.set(this.#message.id, this),
      content: [
        h("p", { class: "test-banner" }, icon("alert", 18), h("span", null,
          h("strong", null, t("phone.pay.banner")), " ", t("phone.pay.bannerHint"))),
        this.#contact.isAsked && section(title, this.#contact.node),
        this.#methodNode,
        section(t("phone.pay.card"), choices("pay-card", t("phone.pay.card"),
          this.#merchant.cards.map((kind) => ({
            value: kind, title: t(`phone.pay.card.${kind}`), hint: t("phone.pay.cardHint"), side: "",
          })), this.#chosen.card, (kind) => this.#changeCard(kind))),
        section(t("phone.pay.summary"), this.#billNode),
        this.#note,
        section(t("phone.pay.outcome"), [
          choices("pay-outcome", t("phone.pay.outcome"), OUTCOMES.map((value) => ({
            value, title: t(`phone.pay.${value}`), hint: "", side: "",
          })), this.#chosen.outcome, (value) => {
            this.#chosen.outcome = value;
            this.#refresh();
          }),
          this.#statusField,
        ]),
        this.#fallback(),
      ],
    });
  }

  /** The page for devices that cannot pay. */
  #fallback() {
    const href = safeHref(this.#model.fallbackUrl);
    return href && h("a", {
      class: "fd-button is-wide pay-fallback", href, target: "_blank", rel: "noopener noreferrer",
    }, icon("link", 18), t("phone.pay.fallback"));
  }

  // What the customer changes

  async #changeMethod(value) {
    this.#chosen.method = this.#methods.find((method) => method.identifier === value) ?? null;
    this.#applyUpdate(await this.#merchant.change("shippingMethod", this.#chosen.method));
  }

  async #changeCard(kind) {
    this.#chosen.card = kind;
    this.#applyUpdate(await this.#merchant.change("paymentMethod", this.#card()));
  }

  async #changeContact() {
    this.#applyUpdate(await this.#merchant.change("shippingContact", this.#contact.read()));
  }

  #card() {
    return { type: this.#chosen.card, network: this.#merchant.network };
  }

  /** Applies the merchant's answer to a change. */
  #applyUpdate(answer) {
    if (!answer) return;
    const { update, problem } = answer;
    if (update.newTotal) this.#bill.total = readLine(update.newTotal);
    if (Array.isArray(update.newLineItems)) this.#bill.lines = update.newLineItems.map(readLine);
    if (Array.isArray(update.newShippingMethods)) this.#applyMethods(update.newShippingMethods);
    const faults = list(update.errors).map(record);
    this.#contact.mark(faults.map((fault) => words(fault.contactField)));
    const status = words(update.status);
    const isRefused = status !== "" && status !== "STATUS_SUCCESS";
    if (problem) this.#showProblem(problem.code, problem.detail);
    else if (faults.length > 0) this.#showProblem("", faults.map((fault) => words(fault.message)
      || reasonOf("STATUS_INVALID_SHIPPING_CONTACT")).join(" "));
    else if (isRefused) this.#showProblem(status, "");
    else this.#note.hidden = true;
    this.#drawBill();
    this.#refresh();
  }

  #applyMethods(offered) {
    this.#methods = readPayment({ interactiveData: { data: { payment: {
      paymentRequest: { shippingMethods: offered } } } } }).methods;
    const known = this.#chosen.method?.identifier;
    this.#chosen.method = this.#methods.find(({ identifier }) => identifier === known)
      ?? this.#methods[0] ?? null;
    this.#drawMethods();
  }

  // How it ends

  async #leave(id) {
    this.#note.hidden = true;
    const { outcome } = this.#chosen;
    if (outcome !== "success") {
      left.delete(this.#message.id);
      this.#answer(id, { payment: this.#choice() }, t(`phone.pay.${outcome}`));
      return this.#sheet.close();
    }
    this.#setPaying(true);
    await this.#merchant.answered();
    this.#note.hidden = true;
    const refused = await this.#merchant.pay(id, this.#choice());
    this.#setPaying(false);
    if (!refused) {
      left.delete(this.#message.id);
      return this.#sheet.close();
    }
    // As on a device: the sheet stays open, shows the error, and lets the customer correct it.
    const text = this.#showProblem(refused.status, refused.detail);
    this.#confirm.again();
    this.#refresh();
    if (!this.#sheet.dialog.open) this.#sayUnpaid(refused.status === OFFLINE ? "unknown" : "refused", text);
  }

  /** For a customer who has closed the sheet meanwhile. */
  #sayUnpaid(what, reason) {
    if (!this.#conversation.thread.has(this.#message.id)) return;
    const text = t(`phone.pay.${what}`, { name: this.#model.merchant || this.#conversation.business.name, reason });
    this.#conversation.dispatchEvent(new CustomEvent("unpaid", { detail: { text, again: () => this.open() } }));
  }

  /** @param {boolean} isPaying whether the customer waits for the merchant */
  #setPaying(isPaying) {
    this.#isPaying = isPaying;
    this.#confirm.node.setAttribute("aria-busy", String(isPaying));
    this.#refresh();
  }

  /** The body for the server. */
  #choice() {
    const { outcome, status, method } = this.#chosen;
    if (outcome === "canceled") return { outcome };
    const contact = this.#contact.isAsked ? this.#contact.read() : null;
    const isBilled = this.#model.billingFields.length > 0;
    return {
      outcome: outcome === "success" ? "success" : "failure", card: this.#card(),
      ...(outcome === "failure" ? { status } : {}),
      ...(outcome === "timeout" ? { status: "STATUS_TIMEOUT" } : {}),
      ...(method ? { shippingMethod: method.identifier } : {}),
      ...(contact && (this.#model.shippingFields.length > 0 || !isBilled)
        ? { shippingContact: contact } : {}),
      ...(contact && isBilled ? { billingContact: contact } : {}),
    };
  }

  // Drawing

  #drawBill() {
    replace(this.#billNode, paymentView(this.#bill));
  }

  #drawMethods() {
    const title = t("phone.pay.method");
    this.#methodNode.hidden = this.#methods.length === 0;
    this.#methodNode.setAttribute("aria-label", title);
    const rows = this.#methods.map((method) => ({
      value: method.identifier, title: method.label, hint: method.detail,
      side: formatMoney(method.amount, this.#model.currency),
    }));
    replace(this.#methodNode, h("h3", null, title), choices("pay-method", title, rows,
      this.#chosen.method?.identifier, (value) => this.#changeMethod(value)));
  }

  #drawStatus() {
    const select = h("select", {
      class: "fd-input", id: "pay-status", onChange: () => {
        this.#chosen.status = select.value;
      },
    }, FAILURES.map((name) => h("option", { value: name }, `${reasonOf(name)} (${name})`)));
    replace(this.#statusField, h("label", { for: "pay-status" }, t("phone.pay.status")), select);
  }

  #refresh() {
    const { outcome } = this.#chosen;
    this.#statusField.hidden = outcome !== "failure";
    const amount = formatMoney(this.#bill.total.amount, this.#bill.currency);
    if (this.#isPaying) return this.#confirm.set(false, t("phone.pay.paying", { amount }));
    this.#confirm.set(true, outcome === "success" ? t("phone.pay.confirm", { amount })
      : outcome === "canceled" ? t("phone.pay.confirmCancel")
        : t("phone.pay.confirmFail", { amount }));
  }

  /** Shows the error: a status of the merchant's, or why there was no answer. @returns {string} its words */
  #showProblem(code, detail) {
    const text = code === "" ? "" : code === OFFLINE ? t("shared.problem.offline")
      : code.startsWith("STATUS_") ? `${reasonOf(code)} (${code})` : t(`phone.pay.problem.${code}`);
    const more = code.startsWith("STATUS_") ? "" : detail;
    replace(this.#note, icon("alert", 18), h("span", null, text,
      more && (text ? h("small", null, more) : more)));
    this.#note.hidden = false;
    this.#note.scrollIntoView({ block: "nearest" });
    return code.startsWith("STATUS_") ? reasonOf(code) : text || more;
  }
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

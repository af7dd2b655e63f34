import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { api } from "../lib/api.js";
import { cardDefaults } from "./card-defaults.js";
import { blankCard, cardTexts } from "./card-texts.js";
import { currencyDigits, formatAmount, parseAmount } from "./decimal.js";
import { checkGroup, fold, fullLine, groupProblem, orderButtons, row, selectField, textField, wordButton } from "./fields.js";
import { FreshNames } from "./fresh-names.js";
import { KindForm } from "./kind-form.js";
import { paymentPayload, paymentTotal, sessionName } from "./kinds/payment.js";

const currencies = ["EUR", "USD", "JPY", "GBP", "CHF", "AUD", "CAD", "CNY", "HKD", "KRW", "SGD", "INR", "BRL", "KWD"];
const countries = ["US", "JP", "DE", "FR", "GB", "CH", "AU", "CA", "CN", "HK", "KR", "SG", "IN", "BR", "KW", "IT", "ES", "NL"];
const networks = [
  ["visa", "Visa"], ["masterCard", "Mastercard"], ["amex", "American Express"], ["discover", "Discover"],
  ["jcb", "JCB"], ["chinaUnionPay", "UnionPay"], ["interac", "Interac"], ["privateLabel", "Private label"],
];
const lineLimit = 50;
/** A merchant session lives for five minutes; a new one is fetched before that. */
const sessionMilliseconds = 240_000;

/** A request to pay, with a merchant session from the server. */
export class PaymentForm extends KindForm {
  #names = new FreshNames("shipping");
  #merchant = null;
  #merchantKey = "";
  #fetched = 0;
  #timer = 0;
  #status = h("p", { class: "cp-session", role: "status" });
  #total = h("output", { class: "cp-total-amount" });

  blankDraft() {
    const words = cardDefaults(this.context?.locale, "payment");
    const isJapanese = this.context?.locale?.startsWith("ja");
    return {
      received: blankCard(words.title), merchantIdentifier: "merchant.frontdesk.test",
      merchantName: this.context?.business?.name ?? "", country: isJapanese ? "JP" : "US",
      currency: isJapanese ? "JPY" : "USD", lineItems: [this.#freshLine()], shippingMethods: [],
      networks: ["visa", "masterCard", "amex"], capabilities: ["supports3DS"],
      billingFields: [], shippingFields: [],
    };
  }

  #freshLine(label = "", amount = "") {
    return { label, amount, type: "final" };
  }

  #freshMethod(label = "", detail = "", amount = "") {
    return { identifier: this.#names.next(this.draft?.shippingMethods), label, detail, amount };
  }

  draw() {
    const { draft } = this;
    const request = "/interactiveData/data/payment/paymentRequest";
    const merchantChanged = () => {
      this.#fetchSession();
      this.changed();
    };
    const changed = () => {
      this.#showTotal();
      this.changed();
    };
    const names = (type, codes) => {
      const known = new Intl.DisplayNames([language()], { type });
      return codes.map((code) => [code, `${code} · ${known.of(code)}`]);
    };
    const contacts = ["postalAddress", "name", "phone", "email"].map((name) => [name, t(`composer.pay.contact.${name}`)]);
    this.#showTotal();
    if (this.isConnected) this.#fetchSession();
    return [
      row(
        textField({
          label: t("composer.pay.merchant"), draft, key: "merchantName", changed: merchantChanged, maxLength: 64,
          pointer: () => `${request}/total/label`,
        }),
        textField({
          label: t("composer.pay.identifier"), draft, key: "merchantIdentifier", changed: merchantChanged,
          pointer: () => `${request}/applePay/merchantIdentifier`,
        })),
      row(
        selectField({
          label: t("composer.pay.country"), draft, key: "country", changed, choices: names("region", countries),
          pointer: () => `${request}/countryCode`,
        }),
        selectField({
          label: t("composer.pay.currency"), draft, key: "currency", choices: names("currency", currencies),
          changed: () => this.reshape(), pointer: () => `${request}/currencyCode`,
        })),
      this.heading(t("composer.pay.lines")),
      h("ol", { class: "cp-list" }, ...draft.lineItems.map((item, index) => this.#line(item, index, changed, request))),
      draft.lineItems.length < lineLimit
        ? wordButton(t("composer.pay.addLine"), () => {
          draft.lineItems.push(this.#freshLine());
          this.reshape(`[data-line="${draft.lineItems.length - 1}"] input`);
        }, { iconName: "plus", className: "cp-quiet cp-add" })
        : fullLine(lineLimit),
      h("div", { class: "cp-total" }, h("span", null, t("composer.pay.total")), this.#total),
      groupProblem(`${request}/total/amount`, () => this.querySelector(".cp-amount input")),
      this.#status,
      fold(t("composer.pay.shipping"),
        h("ol", { class: "cp-list" }, ...draft.shippingMethods.map((method, index) => this.#method(method, index, changed, request))),
        draft.shippingMethods.length < lineLimit
          ? wordButton(t("composer.pay.addShipping"), () => {
            draft.shippingMethods.push(this.#freshMethod());
            this.reshape(`[data-method="${draft.shippingMethods.length - 1}"] input`);
          }, { iconName: "plus", className: "cp-quiet cp-add" })
          : null,
        checkGroup({ label: t("composer.pay.shippingContact"), draft, key: "shippingFields", changed, choices: contacts }),
        checkGroup({ label: t("composer.pay.billingContact"), draft, key: "billingFields", changed, choices: contacts.slice(0, 2) })),
      fold(t("composer.pay.cards"),
        checkGroup({ label: t("composer.pay.networks"), draft, key: "networks", changed, choices: networks }),
        checkGroup({
          label: t("composer.pay.capabilities"), draft, key: "capabilities", changed,
          choices: ["supports3DS", "supportsCredit", "supportsDebit", "supportsEMV"].map((name) => [name, name, name === "supports3DS"]),
        })),
      cardTexts(draft, changed, { hasReply: false }),
    ];
  }

  #amount(label, owner, changed, pointer) {
    const box = textField({
      label, hideLabel: true, draft: owner, key: "amount", inputMode: "decimal", className: "cp-amount", pointer,
      placeholder: formatAmount(0n, currencyDigits(this.draft.currency)),
      changed: () => {
        mark();
        changed();
      },
    });
    const mark = () => {
      const isWrong = owner.amount.trim() !== "" && parseAmount(owner.amount, currencyDigits(this.draft.currency)) === null;
      box.control.classList.toggle("cp-wrong", isWrong);
      box.control.setCustomValidity(isWrong ? t("composer.pay.badAmount") : "");
      box.control.title = isWrong ? t("composer.pay.badAmount") : "";
    };
    mark();
    return box;
  }

  #line(item, index, changed, request) {
    const { lineItems } = this.draft;
    const number = index + 1;
    const name = item.label || t("composer.pay.line", { number });
    const place = () => lineItems.filter((it) => it === item || it.label.trim() || it.amount.trim()).indexOf(item);
    return h("li", { class: "cp-listrow", "data-line": String(index) },
      textField({
        label: t("composer.pay.line", { number }), hideLabel: true, draft: item, key: "label", changed,
        placeholder: t("composer.pay.line", { number }), className: "cp-grow cp-wide",
        pointer: () => `${request}/lineItems/${place()}/label`,
      }),
      this.#amount(t("composer.pay.amountOf", { name }), item, changed, () => `${request}/lineItems/${place()}/amount`),
      selectField({
        label: t("composer.pay.typeOf", { name }), hideLabel: true, draft: item, key: "type", changed,
        choices: ["final", "pending"].map((type) => [type, t(`composer.pay.${type}`)]), className: "cp-narrow",
      }),
      this.#order(lineItems, index, "line", name, () => this.#freshLine()));
  }

  #method(method, index, changed, request) {
    const { shippingMethods } = this.draft;
    const number = index + 1;
    const name = method.label || t("composer.pay.method", { number });
    const place = () => `${request}/shippingMethods/${shippingMethods.filter((it) => it === method || it.label.trim()).indexOf(method)}`;
    const line = (key, words) => textField({
      label: words, hideLabel: true, draft: method, key, changed, placeholder: words, className: "cp-grow",
      pointer: () => `${place()}/${key}`,
    });
    return h("li", { class: "cp-listrow", "data-method": String(index) },
      line("label", t("composer.pay.method", { number })),
      line("detail", t("composer.pay.methodDetail")),
      this.#amount(t("composer.pay.amountOf", { name }), method, changed, () => `${place()}/amount`),
      this.#order(shippingMethods, index, "method", name, null));
  }

  #order(entries, index, stem, name, refill) {
    return orderButtons({
      index, count: entries.length,
      words: {
        up: t("composer.move.up", { name }), down: t("composer.move.down", { name }),
        remove: t("composer.move.remove", { name }),
      },
      move: (step) => {
        entries.splice(index + step, 0, ...entries.splice(index, 1));
        this.reshape(`[data-${stem}="${index + step}"] [data-move="${step < 0 ? "up" : "down"}"]`);
      },
      remove: () => {
        entries.splice(index, 1);
        if (!entries.length && refill) entries.push(refill());
        this.reshape(`[data-${stem}="${Math.max(0, index - 1)}"] input`);
      },
    });
  }

  #showTotal() {
    const { draft } = this;
    const digits = currencyDigits(draft.currency);
    const units = paymentTotal(draft);
    // Only for display: the payload is made from the integer.
    const format = new Intl.NumberFormat(language(), {
      style: "currency", currency: draft.currency, minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    this.#total.replaceChildren(format.format(/** @type {any} */ (formatAmount(units, digits))));
  }

  connectedCallback() {
    super.connectedCallback();
    // A session may have grown old while another kind was open.
    if (this.#merchant && Date.now() - this.#fetched > sessionMilliseconds) this.sent();
    // A draft that was kept while the page was away is drawn before the form is on it.
    else this.#fetchSession();
  }

  /** Requests a merchant session from the server once the typing of the merchant's name and identifier pauses. */
  #fetchSession() {
    const { merchantIdentifier, merchantName } = this.draft;
    const business = this.context?.business?.id;
    const key = JSON.stringify([business, merchantIdentifier, merchantName]);
    if (!business || key === this.#merchantKey) return;
    clearTimeout(this.#timer);
    if (this.#merchantKey !== "renewing") this.#merchant = null;
    if (!merchantIdentifier.trim() || !merchantName.trim()) {
      this.#merchantKey = "";
      this.#status.replaceChildren(t("composer.pay.sessionNeeds"));
      return;
    }
    this.#merchantKey = key;
    this.#status.replaceChildren(t("composer.pay.sessionFetching"));
    this.#timer = setTimeout(async () => {
      try {
        const answer = await api.post(`${this.context.apiBase}/api/merchant-sessions`, {
          business, merchantIdentifier, displayName: sessionName(merchantName),
        });
        if (key !== this.#merchantKey) return;
        this.#merchant = readSession(answer);
        this.#fetched = Date.now();
        this.#status.classList.toggle("is-long", this.#isUnsafe);
        this.#status.replaceChildren(this.#isUnsafe ? t("composer.pay.unsafe", { address: new URL(this.#merchant.endpoints.paymentGatewayUrl).origin }) : t("composer.pay.sessionReady"));
        this.#timer = setTimeout(() => this.isConnected && this.sent(), sessionMilliseconds);
        this.changed();
      } catch (problem) {
        if (key !== this.#merchantKey) return;
        this.#merchantKey = "";
        this.#merchant = null;
        this.changed();
        this.#status.replaceChildren(t("composer.pay.sessionFailed", { detail: problem.message }));
      }
    }, 400);
  }

  /** Whether the server's own endpoints are none for this business: it is reached over http, which is for test businesses alone. */
  get #isUnsafe() {
    return this.context.business.mode !== "test" && this.#merchant.endpoints.paymentGatewayUrl.startsWith("http:");
  }

  async prepare() {
    const { merchantIdentifier, merchantName } = this.draft;
    this.#merchant = readSession(await api.post(`${this.context.apiBase}/api/merchant-sessions`, {
      business: this.context.business.id, merchantIdentifier, displayName: sessionName(merchantName),
    }));
  }

  /** A merchant session lives for minutes: it is fetched again before the next request. */
  sent() {
    this.#merchantKey = "renewing";
    this.#fetchSession();
  }

  /** Whether the merchant's session is on its way: without it the request would be refused. */
  get isWaiting() {
    return this.#merchant === null && this.#merchantKey !== "";
  }

  payload() {
    return paymentPayload(this.draft, this.context.envelope(), this.#merchant);
  }

  ownFindings() {
    const digits = currencyDigits(this.draft.currency);
    const isBad = ({ amount }) => amount.trim() !== "" && parseAmount(amount, digits) === null;
    const find = (entries, name) => entries.flatMap((entry, index) => isBad(entry) ? [{
      rule: "amount-unreadable", severity: "error", isOwn: true, docs: null, fix: t("composer.pay.badAmount"),
      pointer: `/interactiveData/data/payment/paymentRequest/${name}/${index}/amount`,
    }] : []);
    const { lineItems, shippingMethods } = this.draft;
    return [
      ...find(lineItems.filter((item) => item.label.trim() || item.amount.trim()), "lineItems"),
      ...find(shippingMethods.filter((method) => method.label.trim()), "shippingMethods"),
    ];
  }

  isBlank() {
    return this.draft.lineItems.every((item) => !item.label.trim() && !item.amount.trim());
  }

  example() {
    const isYen = this.draft.currency === "JPY";
    return {
      ...this.blankDraft(), currency: this.draft.currency, country: this.draft.country,
      received: blankCard(cardDefaults(language(), "payment").title),
      lineItems: [
        this.#freshLine(t("composer.example.pay.tea"), isYen ? "1800" : "18.00"),
        this.#freshLine(t("composer.example.pay.rebate"), isYen ? "-200" : "-2.00"),
      ],
      shippingMethods: [
        this.#freshMethod(t("composer.example.pay.post"), t("composer.example.pay.postDetail"), isYen ? "500" : "5.00"),
        this.#freshMethod(t("composer.example.pay.express"), t("composer.example.pay.expressDetail"), isYen ? "1200" : "12.00"),
      ],
      shippingFields: ["postalAddress", "name"],
    };
  }
}

/** The answer has the session and the endpoints side by side, or the session's members and the endpoints. */
function readSession(answer) {
  const { endpoints, merchantSession, ...rest } = answer;
  return { endpoints, merchantSession: merchantSession ?? rest };
}

customElements.define("payment-form", PaymentForm);

/**
 * Ten templates to begin with, in two languages. Each is stored once, in the language of the page, and belongs to the business from then on.
 */
import { interactive } from "../composer/payloads.js";
import { makeUUID } from "../lib/uuid.js";

const name = (text) => ({ name: "customer.name", type: "text", label: "customer.name", required: false, default: text });
const asked = (id, label, type = "text") => ({ name: id, type, label, required: true });
const card = (title, style = "icon") => ({ title, style });

/** A card without what belongs to one sending of it. */
function interactivePayload(feature, cards) {
  const { type, interactiveData } = interactive({ id: "", business: "", customer: "", requestID: makeUUID() }, feature, null, cards);
  return { type, interactiveData };
}

const text = (body) => ({ type: "text", body });

const quick = (summaryText, ...titles) => interactivePayload({
  "quick-reply": { summaryText, items: titles.map((title, index) => ({ identifier: `reply-${index + 1}`, title })) },
});

const list = (title, reply, section, ...titles) => interactivePayload({
  listPicker: { sections: [{ title: section, order: 0, multipleSelection: false, items: titles.map((one, order) => ({
    identifier: `item-${order + 1}`, title: one, order, style: "default",
  })) }] },
}, { receivedMessage: card(title), replyMessage: card(reply) });

const form = (title, reply, ...pages) => interactivePayload({
  dynamic: { version: "1.2", template: "messageForms", data: { startPageIdentifier: "page-1", showSummary: true, pages: pages.map((page, index) => ({
    pageIdentifier: `page-${index + 1}`, ...page, ...(pages[index + 1] ? { nextPageIdentifier: `page-${index + 2}` } : { submitForm: true }),
  })) } },
}, { receivedMessage: card(title), replyMessage: card(reply) });

const select = (subtitle, ...titles) => ({
  type: "select", subtitle, multipleSelection: false,
  items: titles.map((title, index) => ({ title, value: title, identifier: `answer-${index + 1}` })),
});

const input = (subtitle, required) => ({ type: "input", subtitle, options: { required, inputType: "multiline" } });

/** @type {Record<string, [string, string, any, any[]][]>} name, title, payload, values */
const starters = {
  en: [
    ["hello", "Greeting", text("Hello {{customer.name}}, this is {{agent.name}} from {{business.name}}. How can I help?"), [name("there")]],
    ["thanks", "Thanks and goodbye", text("Thank you for writing to {{business.name}}, {{customer.name}}. Have a good day!"), [name("and see you soon")]],
    ["one-moment", "One moment", text("One moment please, I am looking it up."), []],
    ["order-ready", "Order is ready", text("Hello {{customer.name}}, your order {{order}} is ready to be picked up."), [name("there"), asked("order", "Order number")]],
    ["order-sent", "Order is on its way", text("Your order {{order}} is on its way and should arrive on {{day|date}}."), [asked("order", "Order number"), asked("day", "Day of arrival", "date")]],
    ["delayed", "Sorry for the delay", text("We are sorry, {{customer.name}}: {{reason}}. We expect it on {{day|date}}."), [name("dear customer"), asked("reason", "Reason"), asked("day", "New day", "date")]],
    ["opening-hours", "Opening hours", text("We are open Monday to Friday from {{opens}} to {{closes}}."), [asked("opens", "Opens at"), asked("closes", "Closes at")]],
    ["solved", "Did that help?", quick("Did that solve it?", "Yes, thank you", "Not yet"), []],
    ["topic", "What is it about?", list("What is it about?", "Your topic", "Topics", "An order", "A return", "A product", "Something else"), []],
    ["feedback", "How did we do?", form("How did we do?", "Your answers", select("How was our service?", "Very good", "Good", "Not so good"), input("What should we do better?", false)), []],
  ],
  ja: [
    ["hello", "ごあいさつ", text("{{customer.name}}様、{{business.name}}の{{agent.name}}です。どのようなご用件でしょうか。"), [name("お客")]],
    ["thanks", "お礼とお別れ", text("{{business.name}}にご連絡いただき、ありがとうございました。またのご利用をお待ちしております。"), []],
    ["one-moment", "少々お待ちください", text("お調べいたしますので、少々お待ちください。"), []],
    ["order-ready", "ご注文の準備完了", text("{{customer.name}}様、ご注文 {{order}} のお受け取り準備ができました。"), [name("お客"), asked("order", "注文番号")]],
    ["order-sent", "ご注文の発送", text("ご注文 {{order}} を発送しました。{{day|date}}に到着の予定です。"), [asked("order", "注文番号"), asked("day", "到着日", "date")]],
    ["delayed", "遅延のお詫び", text("申し訳ございません。{{reason}}のため遅れております。{{day|date}}の予定です。"), [asked("reason", "理由"), asked("day", "新しい日", "date")]],
    ["opening-hours", "営業時間", text("営業時間は月曜日から金曜日の{{opens}}から{{closes}}までです。"), [asked("opens", "開店時刻"), asked("closes", "閉店時刻")]],
    ["solved", "解決しましたか?", quick("解決しましたか?", "はい、ありがとう", "まだです"), []],
    ["topic", "ご用件の選択", list("ご用件をお選びください", "選択したご用件", "ご用件", "ご注文", "返品", "商品", "その他"), []],
    ["feedback", "サービスの評価", form("サービスはいかがでしたか?", "ご回答", select("対応はいかがでしたか?", "とても良い", "良い", "あまり良くない"), input("改善してほしい点をお聞かせください。", false)), []],
  ],
};

/**
 * The templates as requests of the API.
 * @param {string} business
 * @param {string} language of the page
 */
export function startersFor(business, language) {
  return (starters[language] ?? starters.en).map(([id, title, payload, parameters]) => ({
    business, name: id, title, description: "", payload, parameters,
  }));
}

/**
 * Stores them, one after the other; a template of the same name that is there already stays as it is.
 * @param {{post: (path: string, body: any) => Promise<any>, getAll: (path: string, options: any) => Promise<any[]>}} api
 * @param {string} business
 * @param {string} language
 */
export async function addStarters(api, business, language) {
  const known = new Set((await api.getAll("/api/templates", { query: { business } })).map((one) => one.name));
  for (const one of startersFor(business, language)) if (!known.has(one.name)) await api.post("/api/templates", one);
}

/** Texts for automatic answers, ready to be chosen. What is chosen becomes a template of the business, with its translation. */

/** The name of the template that each kind of answer has a text for. */
const NAMES = Object.freeze({ greeting: "auto-greeting", outOfHours: "auto-out-of-hours", unanswered: "auto-unanswered" });

const texts = {
  en: {
    greeting: ["Automatic greeting", "Thank you for writing to {{business.name}}. We will answer you here soon."],
    outOfHours: ["Out of hours", "Thank you for writing to {{business.name}}. We are closed at the moment, and will answer you here when we are open again."],
    unanswered: ["Please wait a little longer", "Thank you for your patience. We have your message and will answer you here as soon as we can."],
  },
  ja: {
    greeting: ["自動のごあいさつ", "{{business.name}}にお問い合わせいただき、ありがとうございます。担当者がまもなくこちらで返信いたします。"],
    outOfHours: ["営業時間外のご案内", "{{business.name}}にお問い合わせいただき、ありがとうございます。ただいま営業時間外です。営業開始後に、こちらで返信いたします。"],
    unanswered: ["お待たせしております", "お待たせして申し訳ございません。メッセージは届いております。担当者がこちらで返信いたしますので、もうしばらくお待ちください。"],
  },
};

/**
 * The ready text of a kind of answer in the language of the page.
 * @param {string} kind
 * @param {string} language
 */
export function readyAnswer(kind, language) {
  const [title, body] = (texts[language] ?? texts.en)[kind];
  return { name: NAMES[kind], title, description: "", payload: { type: "text", body }, parameters: [] };
}

/**
 * The same text in the other languages, as translations of its template.
 * @param {string} kind
 * @param {string} language of the page
 */
function translationsOf(kind, language) {
  return Object.keys(texts).filter((one) => one !== language).map((one) => {
    const translated = readyAnswer(kind, one);
    return { ...translated, name: `${translated.name}.${one}` };
  });
}

/**
 * Stores the ready text of a kind as a template of the business: its translations first, so that no customer is answered before they are there.
 * @param {{post: (path: string, body: any) => Promise<any>}} api
 * @param {string} business
 * @param {string} kind
 * @param {string} language of the page
 */
export async function addReadyAnswer(api, business, kind, language) {
  for (const one of [...translationsOf(kind, language), readyAnswer(kind, language)]) await api.post("/api/templates", { business, ...one });
}

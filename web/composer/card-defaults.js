/** Good words for cards in the customer's language, until the agent writes better ones. */

const words = {
  en: {
    list: { title: "Please choose", reply: "Your choice" },
    time: { title: "Please pick a time", reply: "Your appointment" },
    payment: { title: "Payment request" },
    app: { title: "Open in our app" },
    quickReply: { title: "Please choose" },
  },
  ja: {
    list: { title: "お選びください", reply: "選択した内容" },
    time: { title: "ご希望の日時をお選びください", reply: "ご予約の日時" },
    payment: { title: "お支払いのお願い" },
    app: { title: "アプリで開く" },
    quickReply: { title: "お選びください" },
  },
};

/**
 * @param {string|undefined} locale like ja_JP
 * @param {keyof typeof words.en} kind
 */
export function cardDefaults(locale, kind) {
  return (locale?.toLowerCase().startsWith("ja") ? words.ja : words.en)[kind];
}

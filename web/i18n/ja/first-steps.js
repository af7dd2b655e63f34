/** Texts of the first steps. */
export default {
  "console.first.title": "{name}が返信を待っています",
  "console.first.done": "完了",
  "console.first.dismiss": "最初の手順を隠す",
  "console.first.answer": "{name}に返信する",
  "console.first.answerLead": "サンドボックスのお客様です。実際のお客様には何も届きません。",
  "console.first.answerDo": "返信する",
  "console.first.card": "カードを送る",
  "console.first.cardLead": "クイック返信、リスト、日時、支払い。それぞれに例があります。",
  "console.first.cardDo": "カードを選ぶ",
  "console.first.scan": "スマートフォンで読み取る",
  "console.first.scanLead": "お客様として書き込み、ここで返信します。",
};

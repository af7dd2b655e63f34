/** 返信を受け付ける時間についての文言。 */
export default {
  "window.left": "あと{time}（{until}まで）返信できます。",
  "window.hours": "{hours}時間{minutes}分",
  "window.minutes": { other: "{count}分" },
  "window.over.title": "返信できる時間が過ぎました",
  "window.over.text": "WhatsAppは、お客様の最後のメッセージから24時間だけ返信を受け付けます。お客様から次のメッセージが届くまでは、WhatsAppで承認済みのテンプレートだけを送信できます。",
  "window.templates": "テンプレートを選択",
};

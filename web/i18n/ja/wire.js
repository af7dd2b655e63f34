/** 通信ログの表示。 */
export default {
  "wire.title": "プロバイダー・ゲートウェイとの通信",
  "wire.none": "通信はまだありません。プロバイダーまたはゲートウェイを登録すると、通信がここに表示されます。",
  "wire.noneOfMessage": "このメッセージはプロバイダーにもゲートウェイにも渡っていません。",
  "wire.course.sent": "こちらから送信",
  "wire.course.received": "相手から受信",
  "wire.noAnswer": "応答なし",
  "wire.request": "リクエスト",
  "wire.answer": "応答",
  "wire.took": "{milliseconds} ミリ秒",
  "wire.earlier": "以前の通信",
  "wire.copyCurl": "curl としてコピー",
};

/** Texts of service levels in the settings. */
export default {
  "levels.title": "サービスレベル",
  "levels.lead": "お客様への返信の目標時間です。返信を待っている会話には期限が表示され、期限を過ぎるとスレッドに記録されます。",
  "levels.onlyOwners": "サービスレベルはこのビジネスのオーナーとスーパーバイザーが設定します。",
  "levels.firstAnswer": "最初の返信",
  "levels.nextAnswer": "以降の返信",
  "levels.minutesLead": "優先度ごとの分数です。空欄の場合は期限を設けません。新しい会話の優先度は、担当者かルールが設定するまで「なし」です。",
  "levels.minutesOf": "{answer}、優先度「{priority}」、分",
  "levels.clock": "時間の数え方",
  "levels.clock.hours": "営業時間内",
  "levels.clock.always": "24時間",
  "levels.warning": "期限間近とする分数",
  "levels.warningHelp": "この時間から、会話は「期限間近」のビューに表示されます。",
  "levels.saved": "保存しました",
};

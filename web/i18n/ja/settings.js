/** 設定の各ページの名前。 */
export default {
  "console.section.businesses": "ビジネス",
  "console.section.members": "メンバー",
  "console.section.teams": "チーム",
  "console.section.assignment": "自動割り当て",
  "console.section.labels": "ラベル",
  "console.section.attributes": "属性",
  "console.section.hours": "営業時間",
  "console.section.rules": "ルール",
  "console.section.macros": "マクロ",
  "console.section.library": "ライブラリ",
  "console.section.keys": "API キー",
  "console.section.bots": "ボット",
  "console.section.webhooks": "Webhook",
  "console.section.widget": "サイトのウィジェット",
  "console.section.gateway": "ゲートウェイ",
  "console.section.me": "個人設定",
};

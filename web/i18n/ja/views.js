/** Texts of saved views in the inbox, and of what narrows a list. */
export default {
  "console.order.oldest": "古い順",
  "console.section.views": "保存したビュー",
  "console.saved.menu": "ビュー「{name}」の名前、共有、順番、削除",
  "console.saved.changed": "変更あり",
  "console.saved.missing": "このビューが指す項目の一部はもうありません。リストは引き続きその条件で絞り込まれています。",
  "console.channel.phone": "自社のページ",
  "console.channel.upstream": "ゲートウェイ",
  "console.filter.text": "言葉：{text}",
  "console.palette.view": "ビュー · {name}",
  "console.key.saveView": "リストをビューとして保存",
};

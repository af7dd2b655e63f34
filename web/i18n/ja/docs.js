/** Texts of the documents' pages and of the page of an address that has none. */
export default {
  "docs.title": "ドキュメント · Frontdesk",
  "docs.unreadable": "いまはドキュメントを読み込めません。ページを再読み込みしてください。",
  "docs.index": "ドキュメント",
  "docs.anchor": "「{title}」へのリンク",
  "docs.table": "表",
  "docs.pre": "コード",
  "docs.missing.title": "ページが見つかりません",
  "docs.missing.lead": "{path} には何もありません。アドレスの入力間違いか、内容が削除された可能性があります。",
};

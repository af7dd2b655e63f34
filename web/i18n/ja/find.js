/** Texts of the search within a conversation. */
export default {
  "find.label": "この会話を検索",
  "find.earlier": "前の一致（Enter）",
  "find.later": "次の一致（Shift+Enter）",
  "find.close": "閉じる（Esc）",
  "find.browser": "すべてのメッセージとメモを検索します。もう一度 Ctrl+F を押すとブラウザーの検索になります。",
  "find.place": "{number}／{count} 件",
  "find.placeMore": "{number}／{count} 件以上",
  "find.none": "見つかりません",
  "find.noneYet": "最近のメッセージにはありません。Enter でさらに前を検索します。",
  "find.reading": "以前のメッセージを読み込んでいます…",
};

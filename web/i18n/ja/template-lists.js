/** リスト付きテンプレートのテキスト: エディターの行、選択画面の項目。 */
export default {
  "lists.row": "リスト: 各項目の値",
  "lists.help": "配列の中で {\"{{name}}\": 要素} と書いた要素は、リストの項目ごとに繰り返されます。{{name.position}} は項目の番号です。",
  "lists.optional": "項目がなくてもよい",
  "lists.items": "{label}の項目",
  "lists.item": "{label} {number}",
  "lists.add": "項目を追加",
  "lists.remove": "{label} {number} を削除",
  "lists.date": "{label}(日付)",
  "lists.time": "{label}(時刻)",
  "lists.zone": "時刻は {zone} のものです。",
  "lists.ofItem": "{list} {number}: {label}",
};

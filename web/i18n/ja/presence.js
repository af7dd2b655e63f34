/** Texts of who is there: the choice in the profile menu, colleagues in menus and in the list of members. */
export default {
  "presence.title": "在席状況",
  "presence.online": "オンライン",
  "presence.away": "離席中",
  "presence.busy": "取り込み中",
  "presence.invisible": "非表示",
  "presence.offline": "オフライン",
  "presence.onlineLead": "{count} 分間操作がないと、自動で離席中になります。",
  "presence.awayLead": "自分で変更するまで続きます。",
  "presence.busyLead": "席にいますが、邪魔をしないでほしいとき。",
  "presence.invisibleLead": "ほかの人にはオフラインに見えます。",
  "presence.ofName": "{name}: {state}",
  "presence.open": { other: "対応中 {count} 件" },
  "presence.with": "{state} · {open}",
  "presence.idleHere": "{name} さんが開いていますが、離席中です",
};

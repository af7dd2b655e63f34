/** 参加コードの文言。 */
export default {
  "sandbox.code.alt": "{url} を開く QR コード",
  "sandbox.code.typed": "または {place} で入力",
  "sandbox.code.copy": "リンクをコピー",
  "sandbox.code.left": "自動更新まで {time}",
  "sandbox.code.openPhone": "シミュレーターを開く",
  "sandbox.code.failed": "コードを取得できません:{detail}",
  "sandbox.loopback": "このアドレスにはこのコンピューターからしか接続できません。同じネットワークの実機で試すには make run LAN=1 で起動してください。",
  "sandbox.loopback.flags": "このアドレスにはこのコンピューターからしか接続できません。同じネットワークの実機で試すには、--listen と --public-url にこのコンピューターのネットワークアドレスを指定して起動してください。",
  "sandbox.loopback.nothing": "一時的なゲートウェイのアドレスには、このコンピューターからしか接続できません。お客様の操作はこのコンピューターのブラウザーで試してください。",
};

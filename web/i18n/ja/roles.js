/** What members are in a business. */
export default {
  "console.role.owner": "オーナー",
  "console.role.supervisor": "スーパーバイザー",
  "console.role.agent": "担当者",
  "console.role.auditor": "監査担当",
  "roles.may.owner": "すべての操作ができます。ビジネス、メンバー、キー、接続の管理も含みます。",
  "roles.may.supervisor": "お客様に返信し、ほかの人をまとめます。チーム、ラベル、営業時間、割り当て、ルール、すべてのレポートを扱えます。メンバー、キー、接続は扱えません。",
  "roles.may.agent": "お客様に返信します。",
  "roles.may.auditor": "監査ログも含めてすべてを読めますが、何も変更できません。会話は割り当てられず、担当していた会話は担当者なしに戻ります。",
  "roles.of": "{name}さんの役割",
  "roles.question": "{name}さんの役割を「{role}」にしますか？{may}",
  "roles.removeQuestion": "{name}さんを「{business}」から削除しますか？担当していた会話は担当者なしに戻り、責任者になっている API キーと作成した招待はこのビジネスで使えなくなります。",
  "roles.change": "役割を変更",
  "roles.changed": "{name}さんの役割: {role}",
};

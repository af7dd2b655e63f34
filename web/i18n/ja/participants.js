/** Texts of the participants of a conversation. */
export default {
  "participants.title": "参加者",
  "participants.here": "{count}人中{here}人が閲覧中",
  "participants.isHere": "閲覧中",
  "participants.follows": "フォロー中",
  "participants.add": "参加者を追加",
  "participants.find": "メンバーを検索",
  "participants.remove": "{name}を参加者から外す",
  "participants.follow": "フォローする",
  "participants.unfollow": "フォローをやめる",
  "participants.unknown": "以前のメンバー",
};

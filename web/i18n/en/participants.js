/** Texts of the participants of a conversation. */
export default {
  "participants.title": "Participants",
  "participants.here": "{here} of {count} here",
  "participants.isHere": "here now",
  "participants.follows": "follows",
  "participants.add": "Add participants",
  "participants.find": "Find a member",
  "participants.remove": "Remove {name} from the participants",
  "participants.follow": "Follow",
  "participants.unfollow": "Stop following",
  "participants.unknown": "A former member",
};

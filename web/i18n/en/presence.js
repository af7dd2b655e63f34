/** Texts of who is there: the choice in the profile menu, colleagues in menus and in the list of members. */
export default {
  "presence.title": "Availability",
  "presence.online": "Online",
  "presence.away": "Away",
  "presence.busy": "Busy",
  "presence.invisible": "Invisible",
  "presence.offline": "Offline",
  "presence.onlineLead": "Away by itself after {count} minutes without a key or a press.",
  "presence.awayLead": "Until you choose otherwise.",
  "presence.busyLead": "There, but not to be disturbed.",
  "presence.invisibleLead": "You look offline to everybody else.",
  "presence.ofName": "{name}: {state}",
  "presence.open": { one: "{count} open", other: "{count} open" },
  "presence.with": "{state} · {open}",
  "presence.idleHere": "{name} has this open and is away",
};

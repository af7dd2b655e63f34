/** Texts of service levels in the settings. */
export default {
  "levels.title": "Service levels",
  "levels.lead": "How soon customers are to be answered. Each conversation that waits shows when its answer is due, and one that is not answered in time says so.",
  "levels.onlyOwners": "Owners and supervisors of this business choose its service levels.",
  "levels.firstAnswer": "First answer",
  "levels.nextAnswer": "Next answers",
  "levels.minutesLead": "Minutes by priority. An empty field promises nothing. A conversation begins with the priority None, until a person or a rule sets another.",
  "levels.minutesOf": "{answer}, priority {priority}, in minutes",
  "levels.clock": "The time runs",
  "levels.clock.hours": "within business hours",
  "levels.clock.always": "around the clock",
  "levels.warning": "About to break, minutes before",
  "levels.warningHelp": "From then on a conversation is listed in the view About to break.",
  "levels.saved": "Saved",
};

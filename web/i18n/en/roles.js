/** What members are in a business. */
export default {
  "console.role.owner": "Owner",
  "console.role.supervisor": "Supervisor",
  "console.role.agent": "Agent",
  "console.role.auditor": "Auditor",
  "roles.may.owner": "May do everything: the business, its members, keys and connections.",
  "roles.may.supervisor": "Answers customers and leads the others: teams, labels, hours, assignment, rules, all reports. Not members, keys or connections.",
  "roles.may.agent": "Answers customers.",
  "roles.may.auditor": "Reads everything, the audit log too, and changes nothing. Gets no conversations; those they had become unassigned.",
  "roles.of": "Role of {name}",
  "roles.question": "Make {name} “{role}”? {may}",
  "roles.removeQuestion": "Remove {name} from {business}? Their conversations there become unassigned; API keys that they are responsible for, and invitations that they made, stop working there.",
  "roles.change": "Change role",
  "roles.changed": "{name}: {role}",
};

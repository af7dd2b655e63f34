/** The names of the parts of the settings. */
export default {
  "console.section.businesses": "Businesses",
  "console.section.members": "Members",
  "console.section.teams": "Teams",
  "console.section.assignment": "Assignment",
  "console.section.labels": "Labels",
  "console.section.attributes": "Attributes",
  "console.section.hours": "Hours",
  "console.section.rules": "Rules",
  "console.section.macros": "Macros",
  "console.section.library": "Library",
  "console.section.keys": "API keys",
  "console.section.bots": "Bots",
  "console.section.webhooks": "Webhooks",
  "console.section.widget": "Website widget",
  "console.section.gateway": "Gateway",
  "console.section.me": "My settings",
};

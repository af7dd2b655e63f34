/** Texts about the time in which a channel accepts answers. */
export default {
  "window.left": "You can answer for another {time}, until {until}.",
  "window.hours": "{hours} h {minutes} min",
  "window.minutes": { one: "{count} minute", other: "{count} minutes" },
  "window.over.title": "The time to answer has ended",
  "window.over.text": "WhatsApp accepts answers for 24 hours after the customer’s last message. Until the customer writes again, you can only send a template that WhatsApp has approved.",
  "window.templates": "Choose a template",
};

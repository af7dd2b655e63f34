/** Texts of the first steps. */
export default {
  "console.first.title": "{name} is waiting",
  "console.first.done": "done",
  "console.first.dismiss": "Hide the first steps",
  "console.first.answer": "Answer {name}",
  "console.first.answerLead": "The customer of the sandbox. Nothing here reaches a real one.",
  "console.first.answerDo": "Answer",
  "console.first.card": "Send a card",
  "console.first.cardLead": "Quick replies, a list, times, a payment: each has an example.",
  "console.first.cardDo": "Choose a card",
  "console.first.scan": "Scan with your phone",
  "console.first.scanLead": "Then you are the customer, and answer here.",
};

/** Texts of the wire log. */
export default {
  "wire.title": "With the provider or the gateway",
  "wire.none": "No exchanges yet. Once a provider or a gateway is set up, each exchange with it is listed here.",
  "wire.noneOfMessage": "This message did not go to a provider or a gateway.",
  "wire.course.sent": "Our request",
  "wire.course.received": "Their request",
  "wire.noAnswer": "no answer",
  "wire.request": "Request",
  "wire.answer": "Answer",
  "wire.took": "{milliseconds} ms",
  "wire.earlier": "Earlier exchanges",
  "wire.copyCurl": "Copy as curl",
};

/** Texts of the bell on the customer's page. */
export default {
  "bell.title": "Notify me when there is an answer",
  "bell.hint": "A notification on this device, also while this page is closed",
  "bell.later": "Not now",
  "bell.isOn": "You will be notified on this device.",
  "bell.failed": "That did not work. Check the connection and try again.",
  "bell.blocked": "Notifications of this page are blocked. Allow them for this site in the browser’s settings, then load this page again.",
  "bell.home": "On an iPhone or iPad, add this page to the home screen and open it from there; then you can be notified.",
  "bell.none": "This browser cannot notify you while the page is closed.",
};

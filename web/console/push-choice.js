/** Who is notified by this browser while no console is in use: a choice of each agent, which stays in this browser. */

const START = "fd.push.";

/** Whether an agent chose something in this browser, of whom then its worker may notify. */
export function isPushKnown() {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(START));
  } catch {
    return false;  // Safe: without storage nothing was chosen.
  }
}

/** What an agent chose; null before that. @param {string} agent @returns {boolean|null} */
export function readPushChoice(agent) {
  try {
    const text = localStorage.getItem(START + agent);
    return text === null ? null : text === "on";
  } catch {
    return null;  // Safe: as before.
  }
}

/**
 * Whether an event is the moment to offer notifications to an agent: one's own answer to a customer, in a browser that can notify and
 * has not been asked.
 * @param {any} event of the live connection @param {string} agent its id @param {any} [browser] its globals
 */
export function isOfferDue({ type, data }, agent, { isSecureContext, Notification, PushManager } = globalThis) {
  if (type !== "message.accepted" || data.message?.author?.id !== agent || data.message.direction !== "outbound") return false;
  return Boolean(isSecureContext && PushManager && Notification?.permission === "default" && readPushChoice(agent) === null);
}

/** @param {string} agent @param {boolean} isOn */
export function writePushChoice(agent, isOn) {
  try {
    localStorage.setItem(START + agent, isOn ? "on" : "off");
  } catch {
    // Safe: without storage it is on until the browser loses its subscription.
  }
}

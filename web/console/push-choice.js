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

/** @param {string} agent @param {boolean} isOn */
export function writePushChoice(agent, isOn) {
  try {
    localStorage.setItem(START + agent, isOn ? "on" : "off");
  } catch {
    // Safe: without storage it is on until the browser loses its subscription.
  }
}

/**
 * What an agent has chosen for the console. It is kept in this browser, for each agent of it. Every page of the browser
 * notices a change.
 */

/** What an agent can be notified of. */
export const noticeReasons = Object.freeze([
  "assigned", "mine", "unassigned", "mention", "handed", "moved", "closed", "reopened", "renamed", "participants",
]);

const DEFAULTS = Object.freeze({
  notices: {
    assigned: true, mine: true, unassigned: true, mention: true,
    handed: true, moved: true, closed: false, reopened: true, renamed: false, participants: true,
  },
  sound: true, browser: false, badge: true, title: true,
  quiet: { isOn: false, from: "20:00", until: "08:00" },
  keys: { isOff: false, own: {} },
  firstSteps: true,
});

/** @typedef {typeof DEFAULTS & {keys: {isOff: boolean, own: Record<string, string>}}} Choices */

const changes = new EventTarget();
let storageKey = "";
/** @type {Choices} */
let current = DEFAULTS;
let isListening = false;

/** From now on the choices are those of this agent. @param {string} agent */
export function usePreferencesOf(agent) {
  storageKey = `fd.preferences.${agent}`;
  current = read();
  if (isListening) return;
  isListening = true;
  globalThis.addEventListener?.("storage", (event) => {
    if (event.key === storageKey) replace(read());
  });
}

export function preferences() {
  return current;
}

/** @param {Partial<Choices>} change */
export function setPreferences(change) {
  const next = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // Safe: a browser without storage only forgets the choice.
  }
  replace(next);
}

/** @param {() => void} listener @param {AbortSignal} [signal] */
export function onPreferences(listener, signal) {
  changes.addEventListener("change", listener, { signal });
}

function replace(next) {
  current = next;
  changes.dispatchEvent(new Event("change"));
}

/** What is stored, completed: what another version stored may lack a part. */
function read() {
  let found = {};
  try {
    found = JSON.parse(localStorage.getItem(storageKey) ?? "{}") ?? {};
  } catch {
    // Safe: no storage, or no choices of ours in it.
  }
  return {
    ...DEFAULTS, ...found, notices: { ...DEFAULTS.notices, ...found.notices }, quiet: { ...DEFAULTS.quiet, ...found.quiet },
    keys: { ...DEFAULTS.keys, ...found.keys },
  };
}

/**
 * What an agent has chosen for the console. The server keeps it, for every device of the agent; a page shows a change at once
 * and undoes it where the server refuses it.
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

/**
 * @typedef {typeof DEFAULTS & {keys: {isOff: boolean, own: Record<string, string>}}} Choices
 * @typedef {(change: Partial<Choices>) => Promise<Partial<Choices>>} Save answers what the server keeps then
 */

const changes = new EventTarget();
/** What the server keeps, what is on its way to it, and what waits. @type {Partial<Choices>} */
let stored = {};
/** @type {Partial<Choices>|null} */
let sent = null;
/** @type {Partial<Choices>|null} */
let waiting = null;
/** @type {Save} */
let save = async (change) => change;
/** @type {Choices} */
let current = DEFAULTS;

/**
 * From now on the choices are those of an agent.
 * @param {string} agent
 * @param {Partial<Choices>|null} kept what the server keeps; null for nothing yet
 * @param {Save} saving
 */
export function usePreferencesOf(agent, kept, saving) {
  [stored, sent, waiting, save] = [kept ?? {}, null, null, saving];
  replace();
  moveUp(agent, kept);
}

export function preferences() {
  return current;
}

/** @param {Partial<Choices>} change @returns {Promise<void>} when the server keeps it, or refused it */
export function setPreferences(change) {
  waiting = { ...waiting, ...change };
  replace();
  return carry();
}

/** Another page of the agent has changed something. @param {Partial<Choices>|null} kept what the server keeps */
export function takePreferences(kept) {
  // What this page is about to save comes back with its own answer.
  if (sent || waiting || !kept) return;
  const before = JSON.stringify(current);
  stored = kept;
  replace();
  if (JSON.stringify(current) !== before) changes.dispatchEvent(new Event("others"));
}

/** @param {() => void} listener @param {AbortSignal} [signal] */
export function onPreferences(listener, signal) {
  changes.addEventListener("change", listener, { signal });
}

/** When another page has changed something. @param {() => void} listener @param {AbortSignal} [signal] */
export function onOtherPreferences(listener, signal) {
  changes.addEventListener("others", listener, { signal });
}

/** When the server has refused a choice. @param {(problem: any) => void} listener @param {AbortSignal} [signal] */
export function onRefusedPreference(listener, signal) {
  changes.addEventListener("refused", (event) => listener(/** @type {CustomEvent} */ (event).detail), { signal });
}

async function carry() {
  const saving = save;
  while (waiting && !sent) {
    [sent, waiting] = [waiting, null];
    try {
      const kept = await saving(sent);
      if (saving !== save) return;
      stored = kept;
    } catch (problem) {
      if (saving !== save) return;
      changes.dispatchEvent(new CustomEvent("refused", { detail: problem }));
    }
    sent = null;
    replace();
  }
}

/** What an earlier version kept in this browser goes to the server once; other devices' choices come before it. */
async function moveUp(agent, kept) {
  const key = `fd.preferences.${agent}`;
  let found = null;
  try {
    found = JSON.parse(localStorage.getItem(key) ?? "null");
    if (kept && found) localStorage.removeItem(key);
  } catch {
    return;  // Safe: no storage, or no choices of ours in it.
  }
  if (kept || !found || Array.isArray(found)) return;
  const { keys, ...others } = known(found);
  // Apart, for keys of another version may be refused.
  if (Object.keys(others).length) await setPreferences(others);
  if (keys) await setPreferences({ keys });
  if (Object.keys(stored).length) localStorage.removeItem(key);
}

/** Those of the choices in a browser that the server has words for. */
function known(found) {
  const claims = (names, from) => Object.fromEntries(names.filter((name) => typeof from?.[name] === "boolean").map((name) => [name, from[name]]));
  const own = { ...claims(["sound", "browser", "badge", "title", "firstSteps"], found) };
  const notices = claims([...noticeReasons], found.notices);
  if (Object.keys(notices).length) own.notices = notices;
  const quiet = { ...DEFAULTS.quiet, ...found.quiet };
  const isTime = (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  if (found.quiet && isTime(quiet.from) && isTime(quiet.until)) own.quiet = { isOn: quiet.isOn === true, from: quiet.from, until: quiet.until };
  if (found.keys) own.keys = { isOff: found.keys.isOff === true, own: found.keys.own ?? {} };
  return own;
}

function replace() {
  const all = { ...stored, ...sent, ...waiting };
  current = {
    ...DEFAULTS, ...all, notices: { ...DEFAULTS.notices, ...all.notices }, quiet: { ...DEFAULTS.quiet, ...all.quiet },
    keys: { ...DEFAULTS.keys, ...all.keys },
  };
  changes.dispatchEvent(new Event("change"));
}

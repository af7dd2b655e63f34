/**
 * Which key runs which action. A key is one as the browser names it (`e`, `A`, `?`, `]`), or two after each other
 * (`g t`); "" is none. Pure.
 *
 * @typedef {{id: string, key: string}} Action `key`: the one that it has unless the agent chose another
 */

/**
 * The key of an action.
 * @param {Action} action
 * @param {{isOff: boolean, own: Record<string, string>}} choices
 */
export function keyOfAction(action, { isOff, own }) {
  return isOff ? "" : own[action.id] ?? action.key;
}

/**
 * What a press does after the presses before it.
 * @template {Action} T
 * @param {readonly T[]} actions
 * @param {{isOff: boolean, own: Record<string, string>}} choices
 * @param {string} before the first of two keys, or ""
 * @param {string} pressed
 * @returns {{action: T}|{begun: string}|null} `begun`: a second key is awaited; null for a key of no action
 */
export function pressOf(actions, choices, before, pressed) {
  const key = before ? `${before} ${pressed}` : pressed;
  const keys = actions.map((action) => keyOfAction(action, choices));
  const at = keys.indexOf(key);
  if (key && at >= 0) return { action: actions[at] };
  if (keys.some((one) => one.startsWith(`${key} `))) return { begun: key };
  // What begins anew is no second key of what came before.
  return before ? pressOf(actions, choices, "", pressed) : null;
}

/**
 * The action that already has a key, or keys that begin with it.
 * @template {Action} T
 * @param {readonly T[]} actions
 * @param {{isOff: boolean, own: Record<string, string>}} choices
 * @param {string} id of the action that is to have it
 * @param {string} key
 * @returns {T|null}
 */
export function ownerOf(actions, choices, id, key) {
  if (!key) return null;
  return actions.find((action) => {
    const one = keyOfAction(action, { ...choices, isOff: false });
    return action.id !== id && one !== "" && (one === key || one.startsWith(`${key} `) || key.startsWith(`${one} `));
  }) ?? null;
}

/** Whether a key can be chosen: one character, or two with a space between. @param {string} key */
export function isKey(key) {
  return /^\S( \S)?$/u.test(key);
}

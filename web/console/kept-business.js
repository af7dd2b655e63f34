/** The business that was chosen last on a page of settings, templates or reports: the next such page of this tab begins with it. */
const KEY = "fd.console.business";

/** @param {{id: string}} business */
export function keepBusiness({ id }) {
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // Safe: without storage each page begins with its own choice.
  }
}

/**
 * The kept one among those of the signed-in person.
 * @template {{id: string}} T
 * @param {T[]} businesses
 * @returns {T|undefined}
 */
export function keptBusiness(businesses) {
  try {
    const id = sessionStorage.getItem(KEY);
    return businesses.find((one) => one.id === id);
  } catch {
    return undefined;  // Safe: without storage each page begins with its own choice.
  }
}

/**
 * Warnings that ask for the same, once with all their places. Pure.
 * @param {{rule: string, pointer?: string, found?: string, fix?: string}[]} warnings
 * @returns {{rule: string, fix: string, places: {pointer: string, found: string}[]}[]}
 */
export function alikeTogether(warnings) {
  const groups = new Map();
  for (const { rule, pointer = "", found = "", fix = "" } of warnings) {
    const key = JSON.stringify([rule, fix]);
    if (!groups.has(key)) groups.set(key, { rule, fix, places: [] });
    groups.get(key).places.push({ pointer, found });
  }
  return [...groups.values()];
}

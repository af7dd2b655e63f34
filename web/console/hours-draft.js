/** The seven days as the server names them, in the order of its weeks. */
export const weekdays = Object.freeze(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);

/**
 * What is wrong with the intervals of a day, at the interval that has to change; null for nothing.
 * @param {{from: string, to: string}[]} intervals `HH:MM`, "" for a time that is not filled in
 * @returns {{at: number, kind: "empty"|"ends"|"overlaps"}|null}
 */
export function faultOf(intervals) {
  for (const [at, { from, to }] of intervals.entries()) {
    if (!from || !to) return { at, kind: "empty" };
    if (from >= to) return { at, kind: "ends" };
  }
  const order = [...intervals.keys()].sort((one, other) => (intervals[one].from < intervals[other].from ? -1 : 1));
  for (const [place, at] of order.entries()) {
    if (place > 0 && intervals[at].from < intervals[order[place - 1]].to) return { at, kind: "overlaps" };
  }
  return null;
}

/** Hours to begin with: nine to six on weekdays, by the clocks of this browser. */
export function firstHours() {
  const day = [{ from: "09:00", to: "18:00" }];
  return {
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
    week: Object.fromEntries(weekdays.map((name, index) => [name, index < 5 ? day : []])), holidays: [],
  };
}

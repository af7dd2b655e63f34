/**
 * Times to come back at, in the reader's own zone.
 * @param {Date} now
 * @returns {{text: string, until: Date}[]}
 */
export function snoozeChoices(now) {
  const at = (days, hour) => {
    const date = new Date(now);
    date.setDate(date.getDate() + days);
    date.setHours(hour, 0, 0, 0);
    return date;
  };
  const untilMonday = ((8 - now.getDay()) % 7) || 7;
  return [
    { text: "console.snooze.hour", until: new Date(now.getTime() + 3_600_000) },
    { text: "console.snooze.tomorrow", until: at(1, 9) },
    { text: "console.snooze.monday", until: at(untilMonday, 9) },
  ];
}

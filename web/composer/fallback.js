/** Says as plain text what a card would have offered, for devices that cannot show the card. */

/**
 * @param {object|null} payload of an interactive message
 * @param {string} locale
 */
export function fallbackText(payload, locale) {
  const data = payload?.interactiveData?.data;
  if (!data) return "";
  const lines = [];
  if (data["quick-reply"]) {
    const { summaryText, items } = data["quick-reply"];
    lines.push(summaryText, ...items.map((item, index) => `${index + 1}. ${item.title}`));
  } else if (data.listPicker) {
    lines.push(payload.interactiveData.receivedMessage?.title);
    let number = 0;
    for (const section of data.listPicker.sections) {
      lines.push(section.title);
      for (const item of section.items) {
        number += 1;
        lines.push(`${number}. ${item.title}${item.subtitle ? ` (${item.subtitle})` : ""}`);
      }
    }
  } else if (data.event) {
    const { title, location, timeslots, timezoneOffset } = data.event;
    lines.push(title, location?.title);
    const format = new Intl.DateTimeFormat(locale, {
      dateStyle: "medium", timeStyle: "short", timeZone: "UTC",
    });
    timeslots.forEach((slot, index) => {
      const instant = Date.parse(slot.startTime.replace("+0000", "Z"));
      const shown = format.format(instant + (timezoneOffset ?? 0) * 60000);
      lines.push(`${index + 1}. ${shown}${timezoneOffset === undefined ? " UTC" : ""}`);
    });
  }
  return lines.filter((line) => line?.trim()).join("\n");
}

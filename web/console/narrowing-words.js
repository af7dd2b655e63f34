import { language, registerStrings, t } from "../lib/i18n.js";

await registerStrings({ en: () => import("../i18n/en/views.js"), ja: () => import("../i18n/ja/views.js") });

/** What narrows a view, in a few words. @param {{name: string, value: string, given?: string|number}} narrowing @param {import("./business-lists.js").BusinessLists} lists */
export function narrowingWords({ name, value, given }, lists) {
  switch (name) {
    case "state": return t(`console.state.${value}`);
    case "assignee": return { me: t("console.filter.me"), none: t("console.unassigned"), bot: t("console.view.withBot") }[value] ?? lists.memberNamed(value)?.name ?? t("console.assignee");
    case "team": return value === "none" ? t("console.filter.noTeam") : lists.teamNamed(value)?.name ?? t("customer.team");
    case "labels": return lists.labelNamed(value)?.name ?? t("customer.labels");
    case "channel": return t(`console.channel.${value}`);
    case "language": return languageName(value);
    case "text": return t("console.filter.text", { text: value });
    case "attributes": {
      const known = lists.attributeNamed(value);
      return t(known?.retired ? "console.filter.goneAttribute" : "console.filter.attribute", { name: known?.name ?? value, value: String(given) });
    }
    case "due": return dueWithinWords(value);
    default: return t("customer.priorityIs", { priority: t(`thread.priority.${value}`) });
  }
}

/** Within which time an answer is due. @param {string} minutes "0" for those that are overdue */
export function dueWithinWords(minutes) {
  const count = Number(minutes);
  if (count === 0) return t("console.filter.overdue");
  const [part, unit] = count % 1_440 === 0 ? [count / 1_440, "day"] : count % 60 === 0 ? [count / 60, "hour"] : [count, "minute"];
  return t("console.filter.due", { time: new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(part) });
}

/** A language by its name in the language of the page. @param {string} code */
export function languageName(code) {
  try {
    return new Intl.DisplayNames(language(), { type: "language" }).of(code) ?? code;
  } catch {
    return code;  // Safe: no browser knows every language.
  }
}

/** What a rule of assigning means, in sentences; and how its numbers are read. No page. */

/** Who is next, in the order in which it is offered. */
export const strategies = Object.freeze(["off", "round_robin", "least_busy"]);

/** The names that a sentence lists; more are a number. */
const MOST_NAMES = 4;

/**
 * Who is given what, at a glance.
 * @param {{strategy: string, sticky: boolean, capacity: number, giveBackMinutes: number|null}} rule
 * @param {{agent: {name: string}, state: string}[]} members
 * @param {(key: string, vars?: any) => string} t
 */
export function summaryOf(rule, members, t) {
  const back = rule.giveBackMinutes === null ? "" : ` ${t("assignment.summary.back", { minutes: rule.giveBackMinutes })}`;
  if (rule.strategy === "off") return t("assignment.summary.off") + back;
  if (!members.length) return t("assignment.summary.nobody");
  const names = members.slice(0, MOST_NAMES).map((one) => one.agent.name);
  const people = members.length > MOST_NAMES ? t("assignment.summary.more", { names: names.join(", "), count: members.length - MOST_NAMES }) : names.join(", ");
  const online = members.filter((one) => one.state === "online").length;
  const now = online ? t("assignment.summary.online", { online, count: members.length }) : t("assignment.summary.nobodyOnline");
  const sticky = rule.sticky ? `${t("assignment.summary.sticky")} ` : "";
  return `${sticky}${t(`assignment.summary.${rule.strategy}`, { people, capacity: rule.capacity })} ${now}${back}`;
}

/**
 * The whole number of a field, from 1 to a most.
 * @param {HTMLInputElement} input marked where it is wrong
 * @param {number} most
 * @param {string} fault the sentence for a number that is not
 */
export function numberOf(input, most, fault) {
  const number = Number(input.value);
  if (Number.isInteger(number) && number >= 1 && number <= most) {
    input.removeAttribute("aria-invalid");
    return number;
  }
  input.setAttribute("aria-invalid", "true");
  input.focus();
  throw Object.assign(new Error(fault), { errors: [{ fix: fault }] });
}

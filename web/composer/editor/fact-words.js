/** A schema's facts about a place, as elements in the reader's language. */
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { serverLanguage } from "../rule-words.js";

/** More choices than this are counted. */
const shownChoices = 12;

/** The kinds of value, as one line. */
export function typeWords({ types }) {
  const known = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return known.map((type) => t(`composer.type.${type}`)).join(" / ");
}

/** The limits, each in words. */
export function limitWords({ limits, form, choices }) {
  const words = limits.map(([key, vars]) => t(`composer.limit.${key}`, vars));
  if (form) words.push(t("composer.limit.form", { form }));
  if (choices.length === 1) words.push(t("composer.limit.always", { value: JSON.stringify(choices[0]) }));
  return words;
}

/**
 * Description, limits and choices.
 * @param {import("./schema-facts.js").Facts} facts
 */
export function factNodes(facts) {
  const limits = limitWords(facts);
  const { choices } = facts;
  const rest = choices.length - shownChoices;
  return [
    facts.description ? h("p", { class: "jh-words", lang: serverLanguage() }, facts.description) : null,
    limits.length ? h("ul", { class: "jh-limits" }, limits.map((words) => h("li", null, words))) : null,
    choices.length > 1 ? h("p", { class: "jh-choices" }, t("composer.limit.oneOf"), " ",
      choices.slice(0, shownChoices).flatMap((choice, index) => [index ? ", " : null, h("code", null, JSON.stringify(choice))]),
      rest > 0 ? ` ${t("composer.findings.more", { count: rest })}` : null) : null,
  ].filter(Boolean);
}

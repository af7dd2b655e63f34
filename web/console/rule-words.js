/** A rule in a sentence, and what its log says. */
import { t } from "../lib/i18n.js";
import { sleepWords } from "./part-controls.js";
import { partsOfActions, partsOfConditions } from "./rule-parts.js";

/**
 * What a rule does, in a sentence.
 * @param {{when: string, if: any[], then: any[]}} rule
 * @param {import("./part-controls.js").Known} known
 */
export function ruleSentence(rule, known) {
  const conditions = partsOfConditions(rule.if).map((part) => conditionWords(part, known));
  const actions = actionsSentence(rule.then, known, true);
  const when = t(`rules.when.${rule.when}`);
  return conditions.length ? t("rules.sentenceIf", { when, if: conditions.join(t("rules.and")), then: actions }) : t("rules.sentence", { when, then: actions });
}

/**
 * What actions do, in a list of words.
 * @param {any[]} actions
 * @param {import("./part-controls.js").Known} known
 * @param {boolean} [isWithin] whether the list stands within a sentence
 */
export function actionsSentence(actions, known, isWithin = false) {
  return partsOfActions(actions).map((part, place) => place || isWithin ? within(actionWords(part, known)) : actionWords(part, known)).join(t("rules.comma"));
}

/** Words of the editor's lists as they stand within a sentence. @param {string} words */
const within = (words) => words.charAt(0).toLowerCase() + words.slice(1);

function conditionWords({ kind, not, value }, known) {
  return t("rules.clause", {
    what: within(t(`rules.condition.${kind}`)), is: t(`rules.${not ? "isNot" : "is"}.${kind}`), value: valueWords(kind, value, known),
  });
}

function actionWords({ kind, value }, known) {
  if (kind === "note") return t("rules.action.note");
  return t("rules.actionOf", { action: t(`rules.action.${kind}`), value: valueWords(kind, value, known) });
}

function valueWords(kind, value, { members, teams, labels, templates }) {
  const quoted = (text) => t("rules.quoted", { text });
  const named = (list, id) => quoted(list.find((one) => one.id === id)?.name ?? t("rules.gone"));
  switch (kind) {
    case "assign":
    case "assignee":
      if (value === null) return t("rules.nobody");
      if (value === "me") return t("rules.caller");
      return value === "anybody" ? t("rules.anybody") : named(members, value);
    case "team":
      return value === null ? t("rules.noTeam") : named(teams, value);
    case "label":
    case "addLabel":
    case "removeLabel":
      return named(labels, value);
    case "priority":
      return t(`customer.priority.${value}`);
    case "state":
      return t(`console.state.${value}`);
    case "scoreAtMost":
      return t("rules.score", { score: value });
    case "hours":
      return t(`rules.hours.${value}`);
    case "kind":
      return t(`rules.kind.${value}`);
    case "channel":
      return t(`rules.channel.${value}`);
    case "snooze":
      return value ? sleepWords(value) : t("rules.sleep.answer");
    case "template":
      return quoted(templates.find((one) => one.name === value)?.title || value);
    default:
      return quoted(value);
  }
}

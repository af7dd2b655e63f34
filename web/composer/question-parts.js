/** The fields of a page that asks for a date or for a text. */
import { t } from "../lib/i18n.js";
import { h } from "../lib/dom.js";
import { checkField, fold, row, selectField, textField } from "./fields.js";
import { formatDay } from "../lib/form-dates.js";
import { dateFormats, textPurposes } from "./kinds/form.js";

/** A day that shows every part of a format. */
const SHOWN_DAY = "2026-12-31";

/**
 * @param {any} page
 * @param {() => string} base the pointer of the page
 * @param {() => void} changed
 */
export function dateFields(page, base, changed) {
  const day = (key) => textField({
    label: t(`composer.form.${key}`), draft: page, key, changed, type: "date", optional: t("composer.template.optional"),
    pointer: () => `${base()}/options/${key}`,
  });
  const formats = [...new Set([...dateFormats, page.dateFormat])];
  return h("div", { class: "cp-choices" },
    row(day("minimumDate"), day("maximumDate"), day("startDate")),
    h("p", { class: "cp-hint" }, t("composer.form.dateHint")),
    row(selectField({
      label: t("composer.form.dateFormat"), draft: page, key: "dateFormat", changed,
      choices: formats.map((format) => [format, formatDay(SHOWN_DAY, format)]), pointer: () => `${base()}/options/dateFormat`,
    }), textField({
      label: t("composer.form.label"), draft: page, key: "label", changed, maxLength: 512, pointer: () => `${base()}/options/labelText`,
    })),
    hint(page, base, changed));
}

/**
 * @param {any} page
 * @param {() => string} base the pointer of the page
 * @param {() => void} changed
 */
export function inputFields(page, base, changed) {
  const line = (key, member, options = {}) => textField({
    label: t(`composer.form.${key}`), draft: page, key, changed, maxLength: 512, pointer: () => `${base()}/options/${member}`, ...options,
  });
  return h("div", { class: "cp-choices" },
    row(purposeField(page, base, changed), line("limit", "maximumCharacterCount", {
      type: "number", inputMode: "numeric", placeholder: page.multiline ? "300" : "30",
    })),
    checkField({ label: t("composer.form.required"), draft: page, key: "required", changed }),
    checkField({ label: t("composer.form.multiline"), draft: page, key: "multiline", changed }),
    hint(page, base, changed),
    fold(t("composer.form.look"),
      row(line("label", "labelText"), line("placeholder", "placeholder")),
      row(line("prefix", "prefixText"), line("pattern", "regex", { className: "cp-mono" }))));
}

const hint = (page, base, changed) => textField({
  label: t("composer.form.hint"), draft: page, key: "hint", changed, maxLength: 512, pointer: () => `${base()}/hintText`,
});

/** What the text is: it chooses the keyboard and what the device may fill in. */
function purposeField(page, base, changed) {
  const known = Object.entries(textPurposes).find(([, [keyboard, content]]) => keyboard === page.keyboard && content === page.content);
  const own = [page.keyboard, page.content].filter(Boolean).join(" · ");
  const choice = { purpose: known?.[0] ?? "own" };
  return selectField({
    label: t("composer.form.purpose"), draft: choice, key: "purpose",
    choices: [...Object.keys(textPurposes).map((name) => [name, t(`composer.form.purpose.${name}`)]), ...(known ? [] : [["own", own]])],
    pointer: () => `${base()}/options/keyboardType`,
    changed: () => {
      [page.keyboard, page.content] = textPurposes[choice.purpose] ?? [page.keyboard, page.content];
      changed();
    },
  });
}

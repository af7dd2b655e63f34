/** Translations of templates: `greeting.ja` is `greeting` in Japanese. The server chooses by the same rule. Pure. */

/**
 * The language of a translation, of its name; null for a template itself.
 * @param {string} name
 * @param {Iterable<string>} names of all templates
 */
export function languageOf(name, names) {
  const at = name.lastIndexOf(".");
  const code = name.slice(at + 1);
  return at > 0 && /^[a-z]{2,3}(-[a-z0-9]+)*$/.test(code) && new Set(names).has(name.slice(0, at)) ? code : null;
}

/** The templates that are no translation of another. @param {{name: string}[]} templates */
export function withoutTranslations(templates) {
  const names = new Set(templates.map(({ name }) => name));
  return templates.filter(({ name }) => !languageOf(name, names));
}

/**
 * A template as a customer gets it: the translation nearest to their locale, else itself.
 * @template {{name: string}} T
 * @param {T[]} templates
 * @param {T} template
 * @param {string|null|undefined} locale such as `ja_JP`
 * @returns {T}
 */
export function inLanguage(templates, template, locale) {
  const parts = (locale ?? "").toLowerCase().split(/[_-]/).filter(Boolean).slice(0, 3);
  for (let count = parts.length; count > 0; count -= 1) {
    const found = templates.find(({ name }) => name === `${template.name}.${parts.slice(0, count).join("-")}`);
    if (found) return found;
  }
  return template;
}

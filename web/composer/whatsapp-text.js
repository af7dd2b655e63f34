/** What a template of WhatsApp's becomes with its values. Pure; the server does the same with what it stores. */

/** @typedef {{key: string, place: "header"|"body"|"button", kind: string, name: string, example: string|null, maximumBytes: number}} Parameter */
/** @typedef {{name: string, language: string, category: string, header: {format: string, text: string|null}|null, body: string,
 *   footer: string|null, buttons: {type: string, text: string, value: string|null}[], parameters: Parameter[], isFillable: boolean}} Template */

const VARIABLE = /\{\{ *(\w+) *\}\}/g;

/**
 * Header, text and footer, then the buttons, each in brackets with what is behind it; a variable without a value stays.
 * @param {Template} template
 * @param {Record<string, string>} values by the keys of the parameters
 */
export function textOf({ header, body, footer, buttons }, values) {
  const filled = (text, place) => text.replace(VARIABLE, (all, name) => values[`${place}.${name.replace(/^0+(?=\d)/, "")}`] || all);
  const lines = buttons.map(({ type, text, value }, index) => {
    const given = values[`button.${index}`];
    const behind = type === "COPY_CODE" ? given : value?.replace(VARIABLE, (all) => given || all);
    return behind ? `[${text}] ${behind}` : `[${text}]`;
  });
  const top = header ? (header.text === null ? values.header : filled(header.text, "header")) : "";
  return [top, filled(body, "body"), footer, lines.join("\n")].filter(Boolean).join("\n\n");
}

/** @param {Template} template @param {Record<string, string>} values @returns {Parameter[]} what is not filled yet */
export function missingIn({ parameters }, values) {
  return parameters.filter(({ key }) => !values[key]?.trim());
}

/** A language of WhatsApp's, such as `pt_BR`, in words. @param {string} code @param {string} reader */
export function languageWords(code, reader) {
  try {
    return new Intl.DisplayNames([reader], { type: "language" }).of(code.replace("_", "-")) ?? code;
  } catch {
    return code;  // It is no code that the browser knows.
  }
}

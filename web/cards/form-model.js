import { list, readPictures, record, words } from "./card-model.js";

/**
 * Reads a form, in the spelling of any year and also half-typed, into a model to draw and to walk through.
 * Nothing here throws.
 *
 * @typedef {{identifier: string, title: string, value: string, next: string,
 *   picture: import("./card-model.js").Picture|null}} FormItem
 * @typedef {{identifier: string, kind: string, title: string, question: string, hint: string,
 *   next: string, isEnd: boolean, isMultiple: boolean, items: FormItem[], selectedIndex: number,
 *   pickerTitle: string, label: string, dateFormat: string, startDate: string,
 *   minimumDate: string, maximumDate: string, isRequired: boolean, isMultiline: boolean,
 *   placeholder: string, prefix: string, limit: number, pattern: string, keyboard: string,
 *   content: string}} FormPage
 */

/** The form of a message: its splash, its pages, and where it begins. @param {unknown} payload */
export function readForm(payload) {
  const dynamic = record(record(record(record(payload).interactiveData).data).dynamic);
  const data = record(dynamic.data);
  const pictures = readPictures(payload);
  const { splash } = data;
  const { header, splashtext, buttonTitle, imageIdentifier } = record(splash);
  return {
    isPrivate: dynamic.private === true,
    splash: splash === undefined ? null : {
      header: words(header), text: words(splashtext), button: words(buttonTitle),
      picture: pictures.get(words(imageIdentifier)) ?? null,
    },
    start: words(data.startPageIdentifier), showsSummary: data.showSummary === true,
    pages: list(data.pages).map((page) => readPage(record(page), pictures)),
  };
}

/** @returns {FormPage} */
function readPage(page, pictures) {
  const options = record(page.options);
  const isMultiline = options.inputType === "multiline";
  return {
    identifier: words(page.pageIdentifier), kind: words(page.type), title: words(page.title),
    question: words(page.subtitle) || words(page.title), hint: words(page.hintText),
    next: words(page.nextPageIdentifier), isEnd: page.submitForm === true,
    isMultiple: page.type === "select" && page.multipleSelection === true,
    // A provider's wrapper calls the items pageItems (protocol 3.11).
    // An item without an identifier is named by its place, as the server does it.
    items: list(page.items ?? page.pageItems).map(record).map((item, place) => ({
      identifier: words(item.identifier) || String(place), title: words(item.title),
      value: words(item.value), next: words(item.nextPageIdentifier),
      picture: pictures.get(words(item.imageIdentifier)) ?? null,
    })),
    selectedIndex: Number(words(page.selectedItemIndex)) || 0,
    pickerTitle: words(page.pickerTitle), label: words(options.labelText),
    dateFormat: words(options.dateFormat) || "MM/dd/yyyy", startDate: words(options.startDate),
    minimumDate: words(options.minimumDate), maximumDate: words(options.maximumDate),
    isRequired: options.required === true, isMultiline, placeholder: words(options.placeholder),
    prefix: words(options.prefixText),
    limit: Math.max(0, Number(options.maximumCharacterCount ?? 0)) || (isMultiline ? 300 : 30),
    pattern: patternOf(words(options.regex)),
    // Both spellings: the protocol's own and UIKit's.
    keyboard: words(options.keyboardType).replace(/^UIKeyboardType/, ""),
    content: words(options.textContentType),
  };
}

/** The pattern; some write it as the text of a JSON string, with the quotes (protocol 3.11). */
function patternOf(text) {
  if (!/^".*"$/s.test(text)) return text;
  try {
    return words(JSON.parse(text));
  } catch {
    return text;  // Safe: no JSON string after all; the quotes are the pattern's.
  }
}

/** What an answer to a form says, page by page. @param {unknown} payload */
export function readSelections(payload) {
  const dynamic = record(record(record(record(payload).interactiveData).data).dynamic);
  return list(dynamic.selections).map(record).map((page) => ({
    question: words(page.subtitle) || words(page.title) || words(page.pageIdentifier),
    answers: list(page.items).map((item) => words(record(item).title))
      .filter((text) => text !== ""),
  }));
}

/** Whether the answers of a form are kept from the customer's own thread. @param {unknown} payload */
export function isPrivate(payload) {
  return record(record(record(record(payload).interactiveData).data).dynamic).private === true;
}

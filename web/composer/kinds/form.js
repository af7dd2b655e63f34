/** Questions on several pages, which may lead to different ones. */
import { formatDay, readDay } from "../../lib/form-dates.js";
import { cardsOf, featureOf, wordsOf } from "../payload-reading.js";
import { PictureSet, cardText, interactive, stated } from "../payloads.js";

export default {
  kind: "form", tag: "question-form", needs: "FORM", isRare: true,
  drawing: "M5 3h10v14H5zM7.5 7h1M10.5 7H13M7.5 10h1M10.5 10H13M7.5 13h1M10.5 13H13",
  words: {
    en: { title: "A few questions", reply: "Your answers" },
    ja: { title: "いくつかの質問", reply: "ご回答" },
  },
  speaksOf: featureOf("dynamic"), make: formPayload, read, fallback, level,
};

/** The kinds of pages. */
export const pageTypes = ["select", "picker", "datePicker", "input"];

/** How dates may be written; the first one is what a device assumes. */
export const dateFormats = ["MM/dd/yyyy", "dd/MM/yyyy", "dd.MM.yyyy", "yyyy-MM-dd", "yyyy/MM/dd", "yyyy年M月d日"];

/** Of a text that is asked for: its keyboard, and what the device may fill in. */
export const textPurposes = {
  any: ["", ""], name: ["", "name"], email: ["emailAddress", "emailAddress"], phone: ["phonePad", "telephoneNumber"],
  address: ["", "fullStreetAddress"], postcode: ["", "postalCode"], number: ["numberPad", ""], amount: ["decimalPad", ""],
  url: ["URL", "URL"], code: ["numberPad", "oneTimeCode"],
};

/**
 * A page without content. `key` names it within the draft; `next` is the key of the page that follows, `end`, or empty
 * for the page below.
 * @param {string} key
 */
export function blankPage(key) {
  return {
    key, identifier: key, type: "select", title: "", question: "", next: "", hint: "", multiple: false, items: [],
    pickerTitle: "", selectedIndex: 0, dateFormat: dateFormats[0], startDate: "", minimumDate: "", maximumDate: "", label: "",
    required: false, multiline: false, placeholder: "", prefix: "", limit: "", keyboard: "", content: "", pattern: "",
  };
}

/** Whether an answer to choose says anything. */
export const itemHasContent = (item) => Boolean(item.title.trim() || item.picture);

/** Whether a page has any text or answer. */
export const pageHasContent = (page) => Boolean(page.question.trim() || page.title.trim()) || page.items.some(itemHasContent);

/** A form; answers without any content are left out. */
export function formPayload(draft, context) {
  const pictures = new PictureSet();
  const receivedMessage = cardText(draft.received, pictures);
  const { header, text, button, picture } = draft.splash;
  const splash = stated({
    header, splashtext: text, buttonTitle: button, imageIdentifier: pictures.place(picture, header || draft.received.title),
  });
  const names = new Map(draft.pages.map(({ key, identifier }) => [key, identifier]));
  const pages = draft.pages.map((page, index) => ({
    pageIdentifier: page.identifier, type: page.type, ...stated({ title: page.title, subtitle: page.question }),
    ...makers[page.type](page, { names, pictures }),
    ...following(page, draft.pages[index + 1], names),
  }));
  const dynamic = {
    version: "1.2", template: "messageForms", ...(draft.isPrivate ? { private: true } : {}),
    data: {
      ...(Object.keys(splash).length ? { splash } : {}),
      startPageIdentifier: draft.pages[0].identifier, showSummary: draft.showsSummary, pages,
    },
  };
  const replyMessage = cardText(draft.reply, pictures);
  return interactive(context, { dynamic }, pictures, { receivedMessage, replyMessage });
}

const makers = {
  select: (page, { names, pictures }) => ({
    multipleSelection: page.multiple,
    items: page.items.filter(itemHasContent).map((item) => ({
      ...itemOf(item), ...stated({
        imageIdentifier: pictures.place(item.picture, item.title),
        nextPageIdentifier: page.multiple ? "" : names.get(item.next),
      }),
    })),
  }),
  picker: (page) => ({
    ...stated({ pickerTitle: page.pickerTitle }),
    ...(page.selectedIndex ? { selectedItemIndex: page.selectedIndex } : {}),
    items: page.items.filter(itemHasContent).map(itemOf),
  }),
  datePicker: ({ hint, dateFormat, startDate, minimumDate, maximumDate, label }) => ({
    ...stated({ hintText: hint }),
    options: stated({
      dateFormat, startDate: formatDay(startDate, dateFormat), minimumDate: formatDay(minimumDate, dateFormat),
      maximumDate: formatDay(maximumDate, dateFormat), labelText: label,
    }),
  }),
  input: (page) => ({
    ...stated({ hintText: page.hint }),
    options: {
      required: page.required, inputType: page.multiline ? "multiline" : "singleline",
      ...stated({
        labelText: page.label, placeholder: page.placeholder, prefixText: page.prefix, keyboardType: page.keyboard,
        textContentType: page.content, regex: page.pattern,
        maximumCharacterCount: /^[1-9]\d{0,8}$/.test(page.limit) ? Number(page.limit) : "",
      }),
    },
  }),
};

const itemOf = ({ identifier, title, value }) => ({ title, value: value || title, identifier });

/** Where a page leads: to another one, or to the end. */
function following({ next }, below, names) {
  const name = next === "" ? below?.identifier : names.get(next);
  return name === undefined ? { submitForm: true } : { nextPageIdentifier: name };
}

function read(payload) {
  const { receivedMessage, replyMessage, data } = payload.interactiveData;
  const { find, card } = cardsOf(payload);
  const { private: isPrivate = false, data: { splash = {}, startPageIdentifier, showSummary = false, pages } } = data.dynamic;
  if (startPageIdentifier !== pages[0].pageIdentifier) return null;
  const keys = new Set(pages.map(({ pageIdentifier }) => pageIdentifier));
  if (keys.size !== pages.length) return null;
  return {
    received: card(receivedMessage), reply: card(replyMessage), isPrivate, showsSummary: showSummary,
    splash: {
      header: wordsOf(splash.header), text: wordsOf(splash.splashtext), button: wordsOf(splash.buttonTitle),
      picture: find(splash.imageIdentifier),
    },
    pages: pages.map((page, index) => readPage(page, pages[index + 1], find)),
  };
}

function readPage(page, below, find) {
  const { options = {}, items = [] } = page;
  const dateFormat = options.dateFormat ?? dateFormats[0];
  const day = (text) => (text === undefined ? "" : readDay(text, dateFormat) ?? "");
  const leads = page.nextPageIdentifier;
  return {
    ...blankPage(page.pageIdentifier), type: page.type, title: wordsOf(page.title), question: wordsOf(page.subtitle),
    next: leads === undefined ? (below ? "end" : "") : leads === below?.pageIdentifier ? "" : leads,
    hint: wordsOf(page.hintText), multiple: page.multipleSelection ?? false, pickerTitle: wordsOf(page.pickerTitle),
    selectedIndex: page.selectedItemIndex ?? 0,
    items: items.map((item) => ({
      identifier: item.identifier, title: item.title, value: item.value === item.title ? "" : item.value,
      next: wordsOf(item.nextPageIdentifier), picture: find(item.imageIdentifier),
    })),
    dateFormat, startDate: day(options.startDate), minimumDate: day(options.minimumDate), maximumDate: day(options.maximumDate),
    label: wordsOf(options.labelText), required: options.required ?? false, multiline: options.inputType === "multiline",
    placeholder: wordsOf(options.placeholder), prefix: wordsOf(options.prefixText), keyboard: wordsOf(options.keyboardType),
    content: wordsOf(options.textContentType), pattern: wordsOf(options.regex),
    limit: options.maximumCharacterCount === undefined ? "" : String(options.maximumCharacterCount),
  };
}

/** A page that names no other ends the form, whether it says so or not; what a device assumes need not be stated. */
function level({ dynamic }) {
  if (!dynamic) return;
  if (dynamic.private === false) delete dynamic.private;
  if (dynamic.data.showSummary === false) delete dynamic.data.showSummary;
  for (const page of dynamic.data.pages) {
    if (page.submitForm === (page.nextPageIdentifier === undefined)) delete page.submitForm;
    if (page.selectedItemIndex === 0) delete page.selectedItemIndex;
    const { options } = page;
    if (!options) continue;
    if (options.required === false) delete options.required;
    if (options.inputType === "singleline") delete options.inputType;
    if (options.dateFormat === dateFormats[0]) delete options.dateFormat;
    if (Object.keys(options).length === 0) delete page.options;
  }
}

// The text for a device that cannot show the form.
function fallback({ receivedMessage, data }) {
  return [receivedMessage?.title, ...data.dynamic.data.pages.map((page, index) => {
    const answers = (page.items ?? []).map(({ title }) => title).join(", ");
    return `${index + 1}. ${page.subtitle ?? page.title ?? ""}${answers ? ` (${answers})` : ""}`;
  })];
}

import { readFace } from "../cards/card-model.js";
import { readForm } from "../cards/form-model.js";
import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { language, t } from "../lib/i18n.js";
import { makeUUID } from "../lib/uuid.js";
import { openSheet } from "./bottom-sheet.js";
import { pageView, showProblem } from "./form-page.js";
import { matchesPattern } from "./form-pattern.js";
import { FormWalk } from "./form-walk.js";
import { forgetAll, recall, remember } from "./memory.js";

/**
 * Forms that were begun and closed before they were sent, for as long as the page lives; private
 * ones are begun anew. What was answered is kept across reloads, too.
 * @type {Map<string, FormWalk>}
 */
const begun = new Map();

const formKey = (key, message) => `${key}.form.${message}`;

/** Forgets the forms that were begun in a conversation. @param {string} key */
export function forgetForms(key) {
  begun.clear();
  forgetAll(formKey(key, ""));
}

/**
 * A form, page by page: splash, questions, summary.
 * @param {any} message
 * @param {import("./answer-sheets.js").Answer} answer
 * @param {string|null} key where the page keeps what is begun; null for nowhere
 */
export function openFormSheet(message, answer, key) {
  const form = readForm(message.payload);
  const face = readFace(message.payload);
  const name = key && !form.isPrivate ? formKey(key, message.id) : null;
  const keep = (value) => name && remember(name, value);
  const walk = begun.get(message.id) ?? new FormWalk(form, { locale: language(), kept: name && recall(name) });
  if (!form.isPrivate) begun.set(message.id, walk);
  const title = face.title || t("card.form");
  // Generated with the sheet, so that a second tap is the same answer.
  const id = makeUUID();
  const send = () => {
    answer(id, { form: { answers: walk.answers } },
      readFace(message.payload, "replyMessage").title || title);
    begun.delete(message.id);
    keep(null);
    onward.disabled = true;
    sheet.close();
  };
  const onward = h("button", {
    class: "fd-button is-primary is-wide", type: "button", onClick: () => goOn(),
  });
  const back = h("button", { class: "fd-button is-wide", type: "button", onClick: () => {
    walk.back();
    draw();
  } });
  let isChecking = false;
  const goOn = async () => {
    if (isChecking) return;
    isChecking = true;
    const problem = await findProblem(walk);
    isChecking = false;
    if (problem) return showProblem(sheet.dialog, problem);
    if (walk.next()) send();
    else draw();
  };
  /** The button's text; it sends where no page follows. */
  const refresh = () => {
    const sends = walk.place === "summary"
      || (walk.place === "page" && walk.isLast && !form.showsSummary);
    onward.replaceChildren(walk.place === "splash" ? form.splash.button || t("phone.form.begin")
      : sends ? t("phone.form.send")
        : walk.isLast ? t("phone.form.review") : t("phone.form.next"));
  };
  const changed = () => {
    keep(walk.kept);
    showProblem(sheet.dialog, null);
    refresh();
  };
  const draw = () => {
    keep(walk.kept);
    refresh();
    back.replaceChildren(icon("back", 18), h("span", null, t("phone.form.back")));
    back.hidden = !walk.canGoBack;
    sheet.fill({
      content: contentOf(walk, form, changed, goOn, (place) => {
        walk.change(place);
        draw();
      }),
      footer: walk.place === "broken" ? null
        : h("div", { class: `form-foot${walk.canGoBack ? "" : " is-alone"}` }, back, onward),
    });
    sheet.dialog.querySelector(".sheet-body").scrollTop = 0;
    focusOn(sheet.dialog);
  };
  const sheet = openSheet({ title, kind: "is-form", content: null, footer: null });
  draw();
}

function contentOf(walk, form, changed, goOn, change) {
  if (walk.place === "broken") return h("p", { class: "sheet-note" }, t("phone.form.broken"));
  if (walk.place === "splash") return splashView(form.splash);
  if (walk.place === "summary") return summaryView(walk, form, change);
  return [
    h("p", { class: "form-step" }, t(walk.count ? "phone.form.questionOf" : "phone.form.question", { number: walk.number, count: walk.count })),
    pageView(walk, changed, goOn),
  ];
}

function splashView(splash) {
  return h("div", { class: "form-splash" },
    splash.picture?.source
      ? h("img", { src: splash.picture.source, alt: splash.picture.description })
      : h("span", { class: "form-mark" }, icon("form", 34)),
    h("h3", { id: "form-question", tabindex: "-1", dir: "auto" }, splash.header || t("card.form")),
    splash.text && h("p", { dir: "auto" }, splash.text));
}

function summaryView(walk, form, change) {
  return h("div", { class: "form-summary" },
    h("h3", { id: "form-question", tabindex: "-1" }, t("phone.form.summary")),
    form.isPrivate && h("p", { class: "form-hint" }, t("phone.form.private")),
    h("ul", { class: "fd-rows" }, walk.summary.map(({ question, answers }, place) => h("li", null,
      h("div", { class: "fd-row" },
        h("span", { class: "fd-row-words" },
          h("small", { dir: "auto" }, question),
          h("strong", { dir: "auto", class: answers.length > 0 ? "" : "is-none" },
            answers.length > 0 ? answers.join(", ") : t("card.formNoAnswer"))),
        h("button", {
          class: "fd-button is-plain", type: "button",
          "aria-label": t("phone.form.changeOf", { question }), onClick: () => change(place),
        }, t("phone.form.change")))))));
}

/** The reason why the page cannot be left, as text; null when there is none. */
async function findProblem(walk) {
  if (walk.place !== "page") return null;
  const problem = walk.problem();
  if (problem) return t(`phone.form.problem.${problem.code}`, { limit: problem.limit ?? "" });
  const { page, value } = walk;
  if (page.kind !== "input" || value === "" || await matchesPattern(page.pattern, value)) return null;
  return t("phone.form.problem.pattern");
}

/** A new page is read out from its question; where one types, typing can begin. By touch a date opens its own wheel. */
function focusOn(dialog) {
  const field = matchMedia("(pointer: fine)").matches ? "#form-field" : '#form-field:not([type="date"])';
  const target = dialog.querySelector(field) ?? dialog.querySelector("#form-question");
  target?.focus({ preventScroll: true });
}

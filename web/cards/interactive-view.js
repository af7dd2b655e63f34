import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { formatAt, formatMoment, formatMoney, readTime } from "../lib/time.js";
import {
  chosenIn, readApp, readEvent, readFace, readInvitation, readList, readPayment, readQuickReply,
  readRichLink, record, words,
} from "./card-model.js";
import { answersView, countOfPages, questionsView } from "./form-view.js";
import { listView } from "./list-view.js";
import { paymentView } from "./payment-view.js";
import { signInMark } from "./sign-in-view.js";
import { linked } from "./text-view.js";
import { safeHref } from "../lib/link-text.js";
import { timeView } from "./time-view.js";

/**
 * What the parts of an interactive card are: `face` (the bubble), `details` (what opens), `action`
 * (what a tap does), `footer` (the mark of an answer).
 * @typedef {{label: string, kind: string, face: any, details: any, hint: string,
 *   mark: any}} CardParts
 */

const DRAWERS = {
  list: listCard, time: timeCard, payment: paymentCard, app: appCard, form: formCard,
  authentication: signInCard,
  invitation: invitationCard,
  reference: plainCard("reference", "link"), unknown: plainCard("unknown", "alert"),
};

/**
 * @param {string} kind
 * @param {any} payload
 * @param {any} reply
 * @returns {CardParts}
 */
export function interactiveCard(kind, payload, reply) {
  return (DRAWERS[kind] ?? DRAWERS.unknown)(payload, reply);
}

function listCard(payload, reply) {
  const model = readList(payload);
  const face = readFace(payload);
  const chosen = chosenIn(reply);
  return {
    kind: "list", label: face.title || t("card.list"),
    face: faceView(face, tile("list"), face.title || t("card.list")),
    hint: t("card.options", { count: model.count }),
    details: listView(model, { chosen }),
    mark: reply && answerMark(titlesOf(model, chosen)),
  };
}

function timeCard(payload, reply) {
  const model = readEvent(payload, readTime);
  const received = readFace(payload);
  const face = { ...received, picture: received.picture ?? model.picture };
  if (!received.picture && model.picture) face.style = "large";
  const chosen = chosenIn(reply);
  const slot = model.slots.find(({ identifier }) => chosen.has(identifier));
  return {
    kind: "time", label: face.title || model.title || t("card.time"),
    face: faceView(
      face, dateTile(model.slots[0]?.start ?? null, model.offset),
      face.title || model.title || t("card.time")),
    hint: t("card.times", { count: model.slots.length }),
    details: timeView(model, { chosen }),
    mark: reply && answerMark(slot?.start ? [formatMoment(slot.start, model.offset)] : []),
  };
}

function paymentCard(payload, reply) {
  const model = readPayment(payload);
  const face = readFace(payload);
  const state = reply ? readPayment(reply) : null;
  return {
    kind: "payment", label: face.title || t("card.payment"),
    face: [
      faceView(face, tile("card"), face.title || t("card.payment"), model.merchant),
      h("div", { class: "bill" }, paymentView(model, { maxLines: 4 })),
    ],
    hint: t("card.pay", { amount: formatMoney(model.total.amount, model.currency) }),
    details: null, mark: state && paymentMark(state.state, state.status),
  };
}

function appCard(payload, reply) {
  const model = readApp(payload);
  const { face } = model;
  const name = model.appName || t("card.app");
  return {
    kind: "app", label: face.title || name,
    face: [
      h("div", { class: "app-head" }, appIcon(model), h("span", null, name)),
      face.picture?.source && h("div", { class: "app-picture" },
        h("img", { src: face.picture.source, alt: face.picture.description, decoding: "async" }),
        (face.imageTitle || face.imageSubtitle) && h("div", { class: "app-caption" },
          h("strong", null, face.imageTitle), h("small", null, face.imageSubtitle))),
      h("div", { class: "app-words" },
        h("span", null,
          h("strong", null, face.title || t("card.untitled")),
          face.subtitle && h("small", null, face.subtitle)),
        (face.secondarySubtitle || face.tertiarySubtitle) && h("span", { class: "is-right" },
          h("small", null, face.secondarySubtitle), h("small", null, face.tertiarySubtitle))),
    ],
    hint: t("card.appInstall", { name }), details: null,
    mark: reply && doneMark(),
  };
}

function formCard(payload, reply) {
  const face = readFace(payload);
  return {
    kind: "form", label: face.title || t("card.form"),
    face: faceView(face, tile("form"), face.title || t("card.form")),
    hint: t("card.formQuestions", { count: countOfPages(payload) }),
    details: questionsView(payload), mark: reply && doneMark(),
  };
}

function invitationCard(payload, reply) {
  const { brand, logo } = readInvitation(payload);
  const title = brand || t("card.invitation");
  const picture = logo ? { identifier: "", source: logo, description: "" } : null;
  return {
    kind: "invitation", label: title,
    face: faceView({ style: "icon", picture }, tile("bell"), title, t("card.invitationAsks")),
    hint: "", details: null, mark: reply && doneMark(),
  };
}

function signInCard(payload, reply) {
  const face = readFace(payload);
  const title = face.title || t("card.authentication");
  return {
    kind: "authentication", label: title,
    face: faceView(
      face, tile("key"), title, face.subtitle || (face.title ? t("card.authentication") : "")),
    hint: t("card.signIn"), details: null, mark: reply && signInMark(reply),
  };
}

function plainCard(kind, drawing) {
  return (payload, reply) => {
    const face = readFace(payload);
    const reference = record(record(payload).interactiveDataRef);
    const title = face.title || words(reference.title) || t(`card.${kind}`);
    return {
      kind, label: title,
      face: faceView(face, tile(drawing), title, face.title ? t(`card.${kind}`) : ""),
      hint: "", details: null, mark: reply && doneMark(),
    };
  };
}

/**
 * The customer's answer, drawn as the device shows it in the thread.
 * @param {string} kind
 * @param {any} payload
 * @param {"customer"|"business"} perspective who looks at it
 */
export function answerCard(kind, payload, perspective) {
  const face = readFace(payload, "replyMessage");
  const chosen = chosenIn(payload);
  if (kind === "payment") {
    const { state, status } = readPayment(payload);
    return { kind, label: t("card.payment"), face: paymentMark(state, status), details: null };
  }
  if (kind === "list") {
    const model = readList(payload, true);
    const title = face.title || titlesOf(model, chosen).join(", ");
    return {
      kind, label: title, face: faceView(face, tile("check"), title, face.subtitle),
      hint: t("card.options", { count: model.count }), details: listView(model, { chosen }),
    };
  }
  if (kind === "time") {
    const model = readEvent(payload, readTime);
    const start = model.slots[0]?.start ?? null;
    const title = start ? formatMoment(start, model.offset) : face.title;
    return {
      kind, label: title,
      face: faceView(face, dateTile(start, model.offset), title, model.title || face.subtitle),
      details: null,
    };
  }
  if (kind === "app") {
    const model = readApp(payload);
    const title = model.reply.title || model.face.title || model.appName;
    return {
      kind, label: title,
      face: [
        h("div", { class: "app-head" }, appIcon(model), h("span", null, model.appName)),
        h("div", { class: "app-words" }, h("span", null, h("strong", null, title),
          h("small", { class: "url" }, clip(model.url, 160)))),
      ],
      details: null,
    };
  }
  if (kind === "invitation") {
    const { answer } = readInvitation(payload);
    return {
      kind, label: t("card.invitation"),
      face: faceView(face, tile("check"), answer || t("card.invitation"), t("card.invitation")),
      details: null,
    };
  }
  if (kind === "form") return formAnswer(payload, face, perspective);
  if (kind === "authentication") {
    return { kind, label: t("card.authentication"), face: signInMark(payload), details: null };
  }
  return {
    kind, label: face.title || t(`card.${kind}`),
    face: faceView(face, tile("check"), face.title || t(`card.${kind}`)), details: null,
  };
}

function formAnswer(payload, face, perspective) {
  const details = answersView(payload, perspective);
  return {
    kind: "form", label: face.title || t("card.form"),
    face: faceView(face, tile("form"), face.title || t("card.form")),
    hint: details ? t("card.formAnswers") : t("card.formPrivate"), details,
  };
}

/** Quick replies: the summary as a bubble, the choices as chips under it. */
export function quickReplyView(payload, reply, isInteractive, open) {
  const model = readQuickReply(payload);
  const chosen = chosenIn(reply);
  return [
    h("p", { class: "bubble", dir: "auto" },
      model.summary ? linked(model.summary) : t("card.quickReply")),
    h("div", { class: "chips", role: "group", "aria-label": t("card.quickReply") },
      model.items.map((item) => {
        const isChosen = chosen.has(item.identifier);
        const inside = [isChosen && icon("check", 15), item.title || t("card.untitled"),
          isChosen && h("span", { class: "fd-hidden-text" }, t("card.selected"))];
        if (!isInteractive || reply) {
          const standing = isChosen ? " is-chosen" : reply ? " is-over" : "";
          return h("span", { class: `chip${standing}` }, inside);
        }
        return h("button", {
          class: "chip", type: "button", onClick: () => open(item.identifier),
        }, inside);
      })),
  ];
}

/** A rich link in the layout that its picture asks for. */
export function richLinkView(payload) {
  const model = readRichLink(payload);
  const href = safeHref(model.url);
  const { size } = model;
  const ratio = size ? Math.min(2.4, Math.max(0.75, size.width / size.height)) : 1.9;
  const inside = [
    model.source && h("span", {
      class: "link-picture",
      style: model.layout === "large" ? { "aspect-ratio": String(ratio) } : {},
    },
    h("img", { src: model.source, alt: "", decoding: "async" }),
    model.hasVideo && h("span", { class: "play" }, icon("play", 26),
      h("span", { class: "fd-hidden-text" }, t("card.play")))),
    h("span", { class: "link-words" },
      h("strong", null, model.title || t("card.untitled")),
      h("small", null, model.host || t("card.link"))),
    model.layout === "plain" && h("span", { class: "link-mark" }, icon("link", 20)),
  ];
  const classes = `card link is-${model.layout}`;
  return href
    ? h("a", { class: classes, href, target: "_blank", rel: "noopener noreferrer" }, inside)
    : h("div", { class: classes }, inside);
}

function faceView(face, standIn, title, subtitle = face.subtitle) {
  const source = face.picture?.source;
  const image = source
    && h("img", { src: source, alt: face.picture.description, decoding: "async" });
  return h("div", { class: `face is-${source ? face.style : "icon"}` },
    h("span", { class: "face-picture" }, image || standIn),
    h("span", { class: "face-words", dir: "auto" },
      h("strong", null, title), subtitle && h("small", null, subtitle)));
}

function tile(name) {
  return h("span", { class: "tile" }, icon(name, 22));
}

function dateTile(start, offset) {
  if (!start) return tile("calendar");
  return h("span", { class: "tile is-date" },
    h("b", null, formatAt(start, { month: "short" }, offset)),
    h("i", null, formatAt(start, { day: "numeric" }, offset).replace(/\D+$/, "")));
}

function appIcon(model) {
  return model.icon
    ? h("img", { class: "app-icon", src: model.icon, alt: "", width: 24, height: 24 })
    : h("span", { class: "app-icon is-made", "aria-hidden": "true" },
      [...(model.appName || "A")][0].toUpperCase());
}

function answerMark(titles) {
  return h("div", { class: "mark" }, icon("check", 16), h("span", null,
    titles.length > 0 ? t("card.chosen", { title: titles.join(", ") }) : t("card.selected")));
}

function doneMark() {
  return h("div", { class: "mark" }, icon("check", 16), h("span", null, t("card.appAnswered")));
}

function paymentMark(state, status) {
  const known = {
    success: ["paid", "check", "ok"], canceled: ["paymentCanceled", "close", "quiet"],
    paymentNotCompleted: ["paymentNotCompleted", "close", "quiet"],
    failure: ["paymentFailed", "alert", "bad"],
  };
  // A state that nobody knows is no failure: it is shown as it is.
  const [name, drawing, kind] = Object.hasOwn(known, state) ? known[state]
    : ["paymentState", "card", "quiet"];
  return h("div", { class: `mark is-${kind}` }, icon(drawing, 16), h("span", null,
    t(`card.${name}`, { state }), state !== "success" && status && h("small", null, status)));
}

function titlesOf(model, chosen) {
  return model.sections.flatMap((section) => section.items)
    .filter((item) => chosen.has(item.identifier)).map((item) => item.title);
}

function clip(text, limit) {
  const letters = [...text];
  return letters.length > limit ? `${letters.slice(0, limit).join("")}…` : text;
}

import { missingPlaces, shownName } from "../cards/attachments.js";
import { erasedMark } from "../cards/erased-mark.js";
import { h } from "../lib/dom.js";
import { isErased, summaryOf } from "../lib/erased.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { hueOf, initials } from "../lib/names.js";
import { openMenu } from "../lib/popup.js";
import { formatClock } from "../lib/time.js";
import { alikeTogether } from "./alike.js";
import { deliveryLines } from "./delivery-lines.js";
import { quoteLine } from "./quote-line.js";
import { translateButton, translationOf } from "./translations.js";

/** Where a message was imported from; an import that named no system is called "import". @param {string} system */
function importWords(system) {
  return system === "import" ? t("thread.imported") : t("thread.importedFrom", { system });
}

/**
 * A message as a card, with who wrote it, the reaction to it, and what is known of its way.
 * @param {Extract<import("./thread-rows.js").Row, {type: "message"}>} row
 * @param {{name: string, states: Map<string, any>, attachmentUrl: (id: string, message?: string) => string,
 *   openWire: (message: any) => void, reveal: (id: string) => void, translate?: ((message: any) => Promise<string>)|null,
 *   erase?: ((message: any) => void)|null}} thread
 */
export function messageRow({ message, reply, quote, startsGroup, endsGroup, tapback },
  { name, states, attachmentUrl, openWire, reveal, translate, erase }) {
  const isOurs = message.direction === "outbound";
  const warnings = alikeTogether(message.warnings ?? []).length;
  const missing = message.missingFiles ?? [];
  const time = h("time", { datetime: message.time }, formatClock(new Date(message.time)));
  return h("li", {
    class: `message ${isOurs ? "is-ours" : "is-theirs"} ${startsGroup ? "is-first" : ""} ${endsGroup ? "is-last" : ""}`,
    dataset: { id: message.id, kind: message.kind },
  },
  startsGroup ? h("p", { class: "meta" }, isOurs ? authorFace(message) : null,
    h("span", null, h("bdi", null, authorName(message, name)), " · ", time,
      message.importedFrom ? ` · ${importWords(message.importedFrom)}` : null)) : null,
  quoteLine(quote, { nameOf: (one) => authorName(one, name), reveal }),
  h("div", { class: "line" },
    isErased(message) ? erasedMark(message) : h("desk-card", {
      ".perspective": "business", ".direction": message.direction,
      ".attachments": message.attachments ?? [],
      ".attachmentUrl": (id) => attachmentUrl(id, message.id),
      ".missing": missingPlaces(message),
      ".reply": reply?.payload ?? null, ".payload": message.payload,
    }),
    h("button", {
      type: "button", class: "wire", title: t("thread.wire"),
      "aria-label": t("thread.wireOf", { summary: summaryOf(message) || message.kind }),
      onClick: () => openWire(message),
    }, "{ }"),
    translate && !isOurs && !isErased(message) ? translateButton(message, translate) : null,
    erase && !isErased(message) ? menuButton(message, erase) : null),
  translate ? translationOf(message) : null,
  tapback ? tapbackButton(tapback, name, openWire) : null,
  missing.map(({ place, reason }) => h("p", { class: "seen is-lost" }, t("thread.missingFile", {
    reason, name: place === null ? t("thread.missingData")
      : shownName(message.payload?.attachments?.[place]?.name) || t("card.attachment"),
  }))),
  message.tapback ? h("p", { class: "reaction" }, t("thread.tapbackEarlier")) : null,
  message.whatsappTemplate ? h("p", { class: "reaction" }, t("thread.whatsappTemplate", message.whatsappTemplate)) : null,
  deliveryLines(states.get(message.id)),
  reply ? h("p", { class: "seen" }, t("thread.answered", {
    time: formatClock(new Date(reply.time)),
  })) : null,
  warnings ? h("button", {
    type: "button", class: "warned", onClick: () => openWire(message),
  }, t("thread.warnings", { count: warnings })) : null);
}

/** What few do with a message. @param {any} message @param {(message: any) => void} erase */
function menuButton(message, erase) {
  const button = h("button", {
    type: "button", class: "wire more", "aria-haspopup": "menu", "aria-expanded": "false", title: t("thread.more"),
    "aria-label": t("thread.moreOf", { summary: summaryOf(message) || message.kind }),
    onClick: () => openMenu(button, [{ text: t("thread.erase"), note: t("thread.eraseLead"), run: () => erase(message) }], { label: t("thread.more") }),
  }, icon("menu", 16));
  return button;
}

/** A reaction of the customer's; pressed, it shows how it came. */
function tapbackButton({ kind, sign, message }, name, openWire) {
  const words = t(`thread.tapback.${kind}`, { name: authorName(message, name), sign });
  return h("button", {
    type: "button", class: "tapback", title: words, "aria-label": words,
    onClick: () => openWire(message),
  }, h("span", { "aria-hidden": "true" }, sign));
}

function authorFace({ author }) {
  if (author?.type !== "agent" || !author.name) return null;
  return h("span", { class: "author-face", "aria-hidden": "true", style: { "--hue": hueOf(author.id) } }, initials(author.name));
}

/** Who wrote a message, as it is shown. @param {any} message @param {string} customer */
export function authorName(message, customer) {
  if (message.direction === "inbound") return customer || t("thread.customer");
  if (message.author?.type === "rule") return t("thread.author.rule", message.author);
  return message.author?.name || t(`thread.author.${message.author?.type ?? "agent"}`);
}

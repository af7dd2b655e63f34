import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { formatClock, formatFarMoment } from "../lib/time.js";
import { whatsappReason } from "./whatsapp-reasons.js";

/** A time that is nearer than this is shown without its day. */
const SOON_MILLISECONDS = 6 * 3_600_000;
/** Refusals that have a sentence of their own. */
const KNOWN = [400, 401, 403, 404, 410, 413];

/**
 * The delivery state of a message towards a provider or an upstream gateway; nothing for one that the
 * provider accepted.
 * @param {Record<string, any>|undefined} sides
 * @returns {any[]}
 */
export function deliveryLines(sides) {
  return Object.values(sides ?? {}).map((standing) => line(standing)).filter(Boolean);
}

function line({ side, state, attempts, due, status, detail, receipt }) {
  if (state === "delivered") {
    // Without a status nothing was sent: the customer does not write through this link.
    return side !== "provider" && status !== null
      ? h("p", { class: "standing is-ok" }, icon("check", 14), h("span", null, t(receipt ? `thread.receipt.${receipt}` : "thread.deliveredUpstream")))
      : null;
  }
  if (state === "dead") {
    const words = side === "whatsapp" ? t("thread.refusedWhatsapp") : side === "upstream"
      ? t(KNOWN.includes(status) ? `thread.refused.${status}` : "thread.refused.other")
      : t("thread.undelivered");
    return h("p", { class: "standing is-bad" }, icon("alert", 14),
      h("span", null, h("strong", null, words), reason(status, detail, side)));
  }
  const date = due ? new Date(due) : null;
  const next = attempts > 0 && date ? t("thread.nextTry", {
    time: date.getTime() - Date.now() < SOON_MILLISECONDS ? formatClock(date) : formatFarMoment(date),
  }) : "";
  return h("p", { class: "standing is-waiting" }, icon("clock", 14),
    h("span", null, h("strong", null,
      [t({ upstream: "thread.waitsUpstream", whatsapp: "thread.waitsWhatsapp" }[side] ?? "thread.waitsProvider"),
        attempts > 0 ? t("thread.tried", { count: attempts }) : "", next].filter(Boolean).join(" · ")),
    attempts > 0 ? reason(status, detail, side) : null));
}

/** The answer, as it was received; of WhatsApp's, what its code means. */
function reason(status, detail, side) {
  const { words, isEnglish } = side === "whatsapp" ? whatsappReason(detail) : { words: detail, isEnglish: false };
  return words || status ? h("small", { lang: isEnglish ? "en" : null }, words || String(status)) : null;
}

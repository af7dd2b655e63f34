import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatMoney } from "../lib/time.js";

/**
 * The lines of a payment request with the total under them.
 * @typedef {{label: string, amount: string, isPending: boolean}} Line
 * @param {{lines: Line[], total: Line, currency: string}} model
 * @param {{maxLines?: number}} [options]
 */
export function paymentView(model, { maxLines = Infinity } = {}) {
  const shown = model.lines.slice(0, maxLines);
  const hidden = model.lines.length - shown.length;
  const row = (line, kind) => h("div", { class: kind },
    h("dt", null, line.label || t("card.untitled"),
      line.isPending && h("small", null, t("card.pending"))),
    h("dd", null, formatMoney(line.amount, model.currency)));
  return h("dl", { class: "fd-bill" },
    shown.map((line) => row(line, "fd-bill-line")),
    hidden > 0 && h("div", { class: "fd-bill-line" },
      h("dt", null, t("card.more", { count: hidden })), h("dd", null)),
    row({ ...model.total, label: t("card.total") }, "fd-bill-total"));
}

import { h } from "../lib/dom.js";
import { summaryOf } from "../lib/erased.js";
import { t } from "../lib/i18n.js";

/**
 * The message that a text quotes, above it; pressed, it comes into view. Nothing for a message that quotes none.
 * @param {{message: any|null}|null} quote `message`: the quoted one, null where it was not read yet
 * @param {{nameOf: (message: any) => string, reveal: (id: string) => void}} thread
 */
export function quoteLine(quote, { nameOf, reveal }) {
  if (!quote) return null;
  const { message } = quote;
  if (!message) return h("p", { class: "quote" }, t("thread.quote.unknown"));
  const [name, said] = [nameOf(message), summaryOf(message) || t("thread.quote.noWords")];
  return h("button", {
    type: "button", class: "quote", title: t("thread.quote.show"), "aria-label": t("thread.quote.of", { name, said }), onClick: () => reveal(message.id),
  }, h("strong", null, name), h("span", { dir: "auto" }, said));
}

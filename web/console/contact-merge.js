import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sentence } from "./panel-parts.js";

const TYPING_MILLISECONDS = 250;

/**
 * Asks which contact is merged into another: a search of names, and one press on what was found.
 * @param {{business: string, id: string}} contact the one that stands for both
 * @returns {Promise<string|null>} the id of the other; null for none
 */
export function askContact({ business, id }) {
  return new Promise((resolve) => {
    const input = h("input", { class: "fd-input", type: "search", autocomplete: "off", "aria-label": t("contact.merge.search"),
      placeholder: t("contact.merge.search") });
    const list = h("ul", { class: "contact-found", "aria-live": "polite" });
    const dialog = h("dialog", { class: "dialog", "aria-label": t("contact.merge") }, h("h2", null, t("contact.merge")),
      h("p", null, t("contact.merge.lead")), input, list, h("form", { method: "dialog", class: "form-actions" },
        h("button", { class: "fd-button", value: "" }, t("shared.cancel"))));
    let timer, asked = 0;
    const show = async () => {
      const words = input.value.trim();
      const mine = asked += 1;
      if (!words) return replace(list);
      let lines;
      try {
        const found = (await api.get(`/api/businesses/${business}/contacts`, { query: { q: words } })).data.filter((one) => one.id !== id);
        lines = found.length ? found.map((one) => h("li", null, h("button", { type: "button", class: "customer-row", onClick: () => {
          dialog.returnValue = one.id;
          dialog.close(one.id);
        } }, h("span", { class: "customer-row-text" }, h("bdi", null, one.name ?? t("contact.merge.unnamed"))),
        h("span", { class: "customer-row-aside" }, one.externalId ?? one.id.slice(0, 8)))))
          : h("li", { class: "fd-help" }, t("contact.merge.none"));
      } catch (problem) {
        lines = h("li", { class: "fd-error" }, sentence(problem));
      }
      if (mine === asked) replace(list, lines);
    };
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(show, TYPING_MILLISECONDS);
    });
    dialog.addEventListener("close", () => {
      clearTimeout(timer);
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}

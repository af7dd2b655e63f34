import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { nameContacts } from "./contact-names.js";
import { field, sentence } from "./panel-parts.js";

const TYPING_MILLISECONDS = 250;

/**
 * Asks for a contact: a search of names, and one press on what was found.
 * @param {{title: string, lead: string, businesses: {id: string, name?: string}[], except?: string}} question the business
 *   is chosen where they have names; `except` is a contact that is not offered
 * @returns {Promise<string|null>} the id of the contact; null for none
 */
export function askContact({ title, lead, businesses, except }) {
  return new Promise((resolve) => {
    const business = h("select", { class: "fd-input" }, businesses.map((one) => h("option", { value: one.id }, one.name)));
    const input = h("input", { class: "fd-input", type: "search", autocomplete: "off" });
    const list = h("ul", { class: "contact-found", "aria-live": "polite" });
    const dialog = h("dialog", { class: "dialog", "aria-label": title }, h("h2", null, title), h("p", null, lead),
      businesses[0].name ? field("contact-search-business", t("console.business"), business) : null,
      field("contact-search", t("contact.search"), input), list, h("form", { method: "dialog", class: "form-actions" },
        h("button", { class: "fd-button", value: "" }, t("shared.cancel"))));
    const steady = new SteadyList(list);
    let [timer, asked] = [0, 0];
    const show = async () => {
      const words = input.value.trim();
      const mine = (asked += 1);
      if (!words) return steady.draw(() => []);
      let lines;
      try {
        const { data } = await api.get(`/api/businesses/${business.value}/contacts`, { query: { q: words } });
        const found = await nameContacts(data.filter((one) => one.id !== except));
        lines = found.length ? found.map((one) => foundRow(one, () => dialog.close(one.id))) : h("li", { class: "fd-help" }, t("contact.search.none"));
      } catch (problem) {
        lines = h("li", { class: "fd-error" }, sentence(problem));
      }
      if (mine === asked) steady.draw(() => [lines]);
    };
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(show, TYPING_MILLISECONDS);
    });
    business.addEventListener("change", show);
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

function foundRow({ id, shown, externalId }, choose) {
  return h("li", null, h("button", { type: "button", class: "customer-row", onClick: choose },
    h("span", { class: "customer-row-text" }, h("bdi", null, shown ?? t("contact.unnamed"))),
    h("span", { class: "customer-row-aside" }, externalId ?? id.slice(0, 8))));
}

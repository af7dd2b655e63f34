import { t } from "../lib/i18n.js";
import { openMenu } from "../lib/popup.js";
import { download } from "./guarded-download.js";

/** The tables in the order in which a person asks for them. */
const TABLES = ["messages", "notes", "conversations", "customers"];

/**
 * Opens a menu of the tables of what the server has of a person: each is a file that the browser saves.
 * @param {HTMLElement} anchor
 * @param {{id: string, business: string}} contact
 */
export function openPersonExport(anchor, { id, business }) {
  const items = TABLES.map((table) => ({
    text: t(`contact.export.${table}`), aside: "CSV",
    run: () => download(business, exportAddress(business, table, id)),
  }));
  openMenu(anchor, items, { label: t("contact.export") });
}

/** @param {string} business @param {string} table @param {string} contact */
export function exportAddress(business, table, contact) {
  const query = new URLSearchParams({ format: "csv", "filter[contact]": contact });
  return `/api/businesses/${encodeURIComponent(business)}/exports/${table}?${query}`;
}

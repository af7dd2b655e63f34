import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { haveSameOrigin } from "../lib/origins.js";
import { field, savingForm } from "./panel-parts.js";

const input = (props = {}) => h("input", { class: "fd-input", autocomplete: "off", spellcheck: "false", ...props });

/**
 * Connects a number at WhatsApp, or changes what is known of it; secrets that are left empty stay as they are, and what else is
 * emptied is cleared.
 * @param {any} link null for a new one
 * @param {(body: any) => Promise<void>} save
 */
export function whatsAppForm(link, save) {
  const digits = { inputmode: "numeric", pattern: "[0-9]{1,64}", maxlength: 64 };
  const number = input({ required: true, ...digits, value: link?.phoneNumberId ?? "" });
  const account = input({ ...digits, value: link?.accountId ?? "" });
  const needs = !link?.hasSecrets;
  const accessToken = input({ required: needs, maxlength: 1024, type: "password" });
  const appSecret = input({ required: needs, maxlength: 1024, type: "password" });
  const marks = h("input", { type: "checkbox", checked: link?.marksRead ?? true });
  const graph = input({ type: "url", maxlength: 2048, value: link?.graphUrl ?? "", placeholder: "https://graph.facebook.com/v23.0" });
  const keep = needs ? "" : t("gateway.secretKeep");
  // The server keeps the token for where it was entered, and for Meta.
  const isTokenMissing = () => !needs && !accessToken.value && graph.value !== ""
    && ![link.graphUrl, graph.placeholder].some((one) => haveSameOrigin(graph.value, one));
  return savingForm({
    save: t(link ? "gateway.save" : "gateway.connect"),
    onSave: async () => {
      const typed = { phoneNumberId: number, accountId: account, accessToken, appSecret, graphUrl: graph };
      for (const [name, one] of Object.entries(typed)) {
        // What is copied often brings a space or a line's end.
        one.value = one.value.trim();
        const fault = miscopied(name, one.value);
        if (!fault) continue;
        one.setAttribute("aria-invalid", "true");
        one.focus();
        throw { detail: t(fault, { label: t(`gateway.${name}`) }) };
      }
      if (isTokenMissing()) throw { detail: t("gateway.tokenAnew") };
      const values = Object.entries(typed).map(([name, { value }]) => [name, value]);
      await save(bodyOf(/** @type {any} */ ({ ...Object.fromEntries(values), marksRead: marks.checked })));
    },
  },
  field("whatsapp-number", t("gateway.phoneNumberId"), number, t("gateway.phoneNumberIdHelp")),
  field("whatsapp-token", t("gateway.accessToken"), accessToken, keep || t("gateway.accessTokenHelp")),
  field("whatsapp-app-secret", t("gateway.appSecret"), appSecret, keep || t("gateway.appSecretHelp")),
  field("whatsapp-account", t("gateway.accountId"), account, t("gateway.accountIdHelp")),
  h("label", { class: "switch" }, marks, h("span", null, t("gateway.marksRead"))),
  h("details", { class: "more" }, h("summary", null, t("gateway.more")), h("div", { class: "stack" },
    field("whatsapp-graph", t("gateway.graphUrl"), graph, t("gateway.graphUrlHelp")))));
}

/**
 * What is wrong with a value that is copied from Meta's App Dashboard; null for nothing.
 * @param {string} name of the member
 * @param {string} value
 */
export function miscopied(name, value) {
  if (name === "phoneNumberId" || name === "accountId") return /^\d*$/.test(value) ? null : "gateway.noDigits";
  return name === "graphUrl" || /^[!-~]*$/.test(value) ? null : "gateway.noSecret";
}

/**
 * The request: an empty secret stays as it is, and null clears what else is empty.
 * @param {Record<string, any>} typed
 */
export function bodyOf({ phoneNumberId, accountId, graphUrl, ...secrets }) {
  const stated = Object.entries(secrets).filter(([, value]) => value !== "");
  return { phoneNumberId, accountId: accountId || null, graphUrl: graphUrl || null, ...Object.fromEntries(stated) };
}

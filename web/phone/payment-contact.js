import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const LONG = ["addressLines", "emailAddress", "phoneNumber"];
/** The fields on which a price depends: a change of these is sent to the merchant. */
const PLACE = ["locality", "postalCode", "countryCode"];

/**
 * The fields that a payment request requires, filled with an invented person.
 * @param {string[]} asked
 * @param {() => void} changed called when the place to ship to has changed
 */
export function contactFields(asked, changed) {
  const has = (...names) => asked.some((name) => names.includes(name));
  const fields = [];
  const add = (key, label, sample, type = "text") => fields.push({
    key, label, input: h("input", {
      class: "fd-input", id: `pay-${key}`, type, value: sample, autocomplete: "off", maxlength: 200,
      onChange: () => PLACE.includes(key) && changed(),
    }),
  });
  const sample = (key) => t(`phone.pay.sample.${key}`);
  if (has("name", "phoneticName")) {
    add("givenName", t("phone.pay.name"), sample("given"));
    add("familyName", t("phone.pay.family"), sample("family"));
  }
  const hasAddress = has("post", "postalAddress");
  if (hasAddress) {
    add("addressLines", t("phone.pay.street"), sample("street"));
    add("locality", t("phone.pay.city"), sample("city"));
    add("postalCode", t("phone.pay.postalCode"), sample("postalCode"));
    add("countryCode", t("phone.pay.country"), sample("country"));
  }
  if (has("email")) add("emailAddress", t("phone.pay.email"), "alex@example.com", "email");
  if (has("phone")) add("phoneNumber", t("phone.pay.phone"), sample("phone"), "tel");
  return {
    isAsked: fields.length > 0, hasAddress,
    node: h("div", { class: "pay-contact" }, fields.map((field) =>
      h("div", { class: `fd-field${LONG.includes(field.key) ? " is-long" : ""}` },
        h("label", { for: field.input.id }, field.label), field.input))),
    read: () => Object.fromEntries(fields.filter(({ input }) => input.value.trim() !== "")
      .map(({ key, input }) => {
        const text = input.value.trim();
        return [key, key === "addressLines" ? [text] : text];
      })),
    /** Marks the fields that the merchant finds fault with. @param {string[]} names */
    mark: (names) => {
      for (const { key, input } of fields) {
        const isAtFault = names.includes(key)
          || (names.includes("postalAddress") && ["addressLines", ...PLACE].includes(key))
          || (names.includes("name") && ["givenName", "familyName"].includes(key));
        if (isAtFault) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
    },
  };
}

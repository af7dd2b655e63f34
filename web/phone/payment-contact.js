import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";

const LONG = ["addressLines", "emailAddress", "phoneNumber"];
/** The fields on which a price depends: a change of these is sent to the merchant. */
const PLACE = ["locality", "postalCode", "countryCode"];

/** The order in which people of a language write a name and an address. */
const ORDERS = {
  en: { name: ["givenName", "familyName"], address: ["addressLines", "locality", "postalCode", "countryCode"] },
  ja: { name: ["familyName", "givenName"], address: ["countryCode", "postalCode", "locality", "addressLines"] },
};
const COUNTRIES = ["AT", "AU", "BE", "BR", "CA", "CH", "CN", "DE", "DK", "ES", "FI", "FR", "GB", "HK", "IE", "IN", "IT", "JP", "KR", "KW",
  "MX", "NL", "NO", "NZ", "PL", "PT", "SE", "SG", "TW", "US"];

/** Countries by their names; the answer has their codes. */
function countryField(chosen, changed) {
  const names = new Intl.DisplayNames([language()], { type: "region" });
  const all = [...new Set([...COUNTRIES, chosen])].map((code) => [code, names.of(code) ?? code]).sort((one, other) => one[1].localeCompare(other[1], language()));
  const field = h("select", { class: "fd-input", id: "pay-countryCode", autocomplete: "off", onChange: () => changed() },
    all.map(([code, name]) => h("option", { value: code }, name)));
  field.value = chosen;
  return field;
}

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
  const parts = {
    givenName: () => add("givenName", t("phone.pay.name"), sample("given")),
    familyName: () => add("familyName", t("phone.pay.family"), sample("family")),
    addressLines: () => add("addressLines", t("phone.pay.street"), sample("street")),
    locality: () => add("locality", t("phone.pay.city"), sample("city")),
    postalCode: () => add("postalCode", t("phone.pay.postalCode"), sample("postalCode")),
    countryCode: () => fields.push({ key: "countryCode", label: t("phone.pay.country"), input: countryField(sample("country"), changed) }),
  };
  const order = ORDERS[language()] ?? ORDERS.en;
  if (has("name", "phoneticName")) for (const key of order.name) parts[key]();
  const hasAddress = has("post", "postalAddress");
  if (hasAddress) for (const key of order.address) parts[key]();
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

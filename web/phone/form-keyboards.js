/** The browser's equivalents of a page's keyboardType and textContentType. */

const INPUT_MODES = {
  url: "url", numberpad: "numeric", phonepad: "tel", emailaddress: "email", decimalpad: "decimal",
  websearch: "search", numbersandpunctuation: "text",
};
/** Keyboards that begin no sentence. */
const PLAIN = ["url", "emailaddress", "asciicapable", "twitter"];

const AUTOCOMPLETE = {
  name: "name", namePrefix: "honorific-prefix", givenName: "given-name",
  middleName: "additional-name", familyName: "family-name", nameSuffix: "honorific-suffix",
  nickname: "nickname", jobTitle: "organization-title", organizationName: "organization",
  fullStreetAddress: "street-address", streetAddressLine1: "address-line1",
  streetAddressLine2: "address-line2", addressCity: "address-level2",
  addressState: "address-level1", addressCityAndState: "address-level2",
  sublocality: "address-level3", countryName: "country-name", postalCode: "postal-code",
  telephoneNumber: "tel", emailAddress: "email", URL: "url", creditCardNumber: "cc-number",
  username: "username", password: "current-password", newPassword: "new-password",
  oneTimeCode: "one-time-code",
};

/**
 * The attributes of a field for an input page.
 * @param {{keyboard: string, content: string, isMultiline: boolean}} page
 */
export function fieldAttributes({ keyboard, content, isMultiline }) {
  const name = keyboard.toLowerCase();
  const isSecret = content === "password" || content === "newPassword";
  return {
    inputmode: INPUT_MODES[name] ?? "text",
    autocomplete: AUTOCOMPLETE[content] ?? "off",
    autocapitalize: PLAIN.includes(name) || isSecret ? "off"
      : name === "namephonepad" || /[nN]ame$/.test(content) ? "words" : "sentences",
    spellcheck: String(isMultiline && !isSecret),
    ...(isMultiline ? {} : { type: isSecret ? "password" : "text" }),
  };
}

/** The content of a card as plain text, for devices that cannot show the card. */
import { kindOfPayload } from "./kinds.js";

/**
 * @param {any} payload of an interactive message
 * @param {string} locale
 */
export function fallbackText(payload, locale) {
  if (!payload?.interactiveData?.data) return "";
  const lines = kindOfPayload(payload)?.fallback?.(payload.interactiveData, locale) ?? [];
  return lines.filter((line) => line?.trim()).join("\n");
}

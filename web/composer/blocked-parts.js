import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { wordButton } from "./fields.js";
import { icon } from "./icons.js";

/**
 * That the customer's device cannot show a kind, and the way to say the same as text.
 * @param {import("./kinds.js").ComposerKind} entry
 * @param {string[]|null|undefined} capabilities of the device
 * @param {() => void} writeAsText
 */
export function blockedParts(entry, capabilities, writeAsText) {
  return [icon("blocked"), h("div", { class: "cp-grow" },
    h("strong", null, t("composer.blocked.title", { kind: t(`composer.kind.${entry.kind}`) })),
    h("p", null, t("composer.blocked.text", { needs: [entry.needs].flat()[0], has: (capabilities ?? []).join(", ") }))),
  wordButton(t("composer.blocked.asText"), writeAsText)];
}

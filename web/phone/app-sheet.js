import { readApp } from "../cards/kinds/app.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { confirmButton } from "./answer-sheets.js";
import { openSheet } from "./bottom-sheet.js";

/** Protocol 3.10: the URL of an app's message holds up to 64 KB. */
const MAX_URL_BYTES = 64 * 1024;

/**
 * A link into an app extension: how to get the app, and a way to answer in its place.
 * @param {any} message
 * @param {import("./answer-sheets.js").Answer} answer
 */
export function openAppSheet(message, answer) {
  const model = readApp(message.payload);
  const name = model.appName || t("card.app");
  const count = h("p", { class: "fd-help", id: "app-bytes" });
  const confirm = confirmButton((id) => {
    answer(id, { app: { url: field.value } }, model.face.title || name);
    sheet.close();
  });
  const refresh = () => {
    const bytes = new TextEncoder().encode(field.value).length;
    const isTooLong = bytes > MAX_URL_BYTES;
    count.textContent = isTooLong
      ? t("phone.app.tooLong", { count: (bytes - MAX_URL_BYTES).toLocaleString() })
      : t("phone.app.bytes", {
        count: bytes.toLocaleString(), limit: MAX_URL_BYTES.toLocaleString(),
      });
    count.classList.toggle("fd-error", isTooLong);
    field.setAttribute("aria-invalid", String(isTooLong));
    confirm.set(bytes > 0 && !isTooLong, t("phone.app.send"));
  };
  const field = h("textarea", {
    class: "fd-input is-code", id: "app-url", rows: 4, spellcheck: "false", autocapitalize: "off",
    autocomplete: "off", "aria-describedby": "app-bytes app-hint", value: model.url,
    onInput: refresh,
  });
  refresh();
  const fact = (label, value) =>
    value && h("div", null, h("dt", null, label), h("dd", null, value));
  const isStoreId = /^\d{1,20}$/.test(model.appId);
  const sheet = openSheet({
    title: name, footer: confirm.node,
    content: [
      h("div", { class: "app-missing" },
        model.icon
          ? h("img", { src: model.icon, alt: "", width: 60, height: 60 })
          : h("span", { class: "app-letter", "aria-hidden": "true" }, [...name][0]),
        h("h3", null, t("phone.app.missing", { name })),
        h("p", null, t("phone.app.missingHint")),
        isStoreId && h("a", {
          class: "fd-button is-wide", href: `https://apps.apple.com/app/id${model.appId}`,
          target: "_blank", rel: "noopener noreferrer",
        }, t("phone.app.get"))),
      h("div", { class: "fd-field" },
        h("label", { for: "app-url" }, t("phone.app.answer")), field,
        h("div", { class: "app-under" },
          h("p", { class: "fd-help", id: "app-hint" }, t("phone.app.answerHint")), count)),
      h("details", { class: "app-facts" }, h("summary", null, t("phone.app.link")),
        h("dl", null,
          fact(t("phone.app.appId"), model.appId), fact(t("phone.app.team"), model.team),
          fact(t("phone.app.extension"), model.extension), fact("URL", model.url))),
    ],
  });
}

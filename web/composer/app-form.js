import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { cardDefaults } from "./card-defaults.js";
import { blankCard } from "./card-texts.js";
import { checkField, fold, row, selectField, textField } from "./fields.js";
import { byteCount } from "./json-tokens.js";
import { KindForm } from "./kind-form.js";
import { appPayload, appURLByteLimit } from "./kinds/app.js";
import { pictureField } from "./picture-field.js";

/** A message for an app extension of another developer; its URL is sent byte for byte. */
export class AppForm extends KindForm {
  #bytes = h("span", { class: "cp-bytes" });

  blankDraft() {
    const words = cardDefaults(this.context?.locale, "app");
    return {
      team: "", extension: "", appID: "", appName: "", url: "", icon: null, useLiveLayout: true,
      received: { ...blankCard(words.title, ""), imageTitle: "", imageSubtitle: "", secondarySubtitle: "", tertiarySubtitle: "" },
      reply: { ...blankCard("", ""), imageTitle: "", imageSubtitle: "", secondarySubtitle: "", tertiarySubtitle: "" },
    };
  }

  draw() {
    const { draft } = this;
    const changed = () => {
      this.#countBytes();
      this.changed();
    };
    const base = "/interactiveData";
    const line = (key, options = {}) => textField({
      label: t(`composer.app.${key}`), draft, key, changed, ...options,
    });
    const url = line("url", {
      rows: 3, placeholder: "?screen=order&number=1042", hint: t("composer.app.urlHint"),
      pointer: () => `${base}/URL`, className: "cp-mono",
    });
    url.control.spellcheck = false;
    url.querySelector("label").append(this.#bytes);
    this.#countBytes();
    return [
      row(line("team", { placeholder: "ABCDE12345", pointer: () => `${base}/bid` }),
        line("extension", { placeholder: "com.example.shop.MessagesExtension" })),
      row(line("appName", { placeholder: t("composer.app.appNameExample"), pointer: () => `${base}/appName` }),
        line("appID", { inputMode: "numeric", placeholder: "1234567890", pointer: () => `${base}/appId` })),
      url,
      pictureField({ place: this.context, label: t("composer.app.icon"), draft, key: "icon", changed, edge: 120, byteLimit: 60_000 }),
      this.#layout(draft.received, "receivedMessage", changed),
      checkField({ label: t("composer.app.live"), draft, key: "useLiveLayout", changed }),
      fold(t("composer.app.replyFold"), this.#layout(draft.reply, "replyMessage", changed)),
    ];
  }

  #layout(card, name, changed) {
    const line = (key) => textField({
      label: t(`composer.card.${key}`), draft: card, key, changed, maxLength: 512,
      pointer: () => `/interactiveData/${name}/${key}`,
    });
    return h("fieldset", { class: "cp-section" },
      h("legend", { class: "cp-label" }, t(`composer.card.${name}`)),
      row(line("title"), line("subtitle")),
      fold(t("composer.app.moreLines"),
        row(line("imageTitle"), line("imageSubtitle")),
        row(line("secondarySubtitle"), line("tertiarySubtitle")),
        selectField({
          label: t("composer.card.style"), draft: card, key: "style", changed,
          choices: [["", t("composer.style.unstated")], ...["icon", "small", "large"].map((style) => [style, t(`composer.style.${style}`)])],
        })));
  }

  #countBytes() {
    const count = byteCount(this.draft.url);
    this.#bytes.replaceChildren(t("composer.app.bytes", {
      count: count.toLocaleString(), limit: appURLByteLimit.toLocaleString(),
    }));
    this.#bytes.classList.toggle("cp-over", count > appURLByteLimit);
  }

  payload() {
    return appPayload(this.draft, this.context.envelope());
  }

  isBlank() {
    const { team, extension, appID, appName, url } = this.draft;
    return [team, extension, appID, appName, url].every((text) => !text.trim());
  }

  example() {
    const draft = this.blankDraft();
    return {
      ...draft, team: "ABCDE12345", extension: "com.example.tea.MessagesExtension", appID: "1234567890",
      appName: t("composer.example.app.name"), url: "?screen=order&number=1042&note=%E8%8C%B6",
      received: { ...draft.received, title: t("composer.example.app.title"), subtitle: t("composer.example.app.subtitle") },
    };
  }
}
customElements.define("app-form", AppForm);

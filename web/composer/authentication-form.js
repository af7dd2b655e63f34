import { t } from "../lib/i18n.js";
import { cardDefaults } from "./card-defaults.js";
import { blankCard, cardTexts } from "./card-texts.js";
import { fold, row, selectField, textField } from "./fields.js";
import { KindForm } from "./kind-form.js";
import { authenticationPayload, tryingPage } from "./kinds/authentication.js";

const OAUTH = "/interactiveData/data/authenticate/oauth2";

/** A request to sign in: what the business wants to see, and where the code or the encrypted token goes. */
export class AuthenticationForm extends KindForm {
  blankDraft() {
    const words = cardDefaults(this.context?.locale, "authentication");
    return {
      received: blankCard(words.title), reply: blankCard(words.reply), way: "page", responseType: "code", scopes: "", state: "",
      redirectURI: "", key: "", secret: "",
    };
  }

  draw() {
    const { draft } = this;
    const changed = () => this.changed();
    const line = (key, member, options = {}) => textField({
      label: t(`composer.signIn.${key}`), draft, key, changed, pointer: () => `${OAUTH}/${member}`, ...options,
    });
    return [
      row(
        textField({
          label: t("composer.list.title"), draft: draft.received, key: "title", changed, maxLength: 512,
          pointer: () => "/interactiveData/receivedMessage/title",
        }),
        textField({
          label: t("composer.card.subtitle"), draft: draft.received, key: "subtitle", changed, maxLength: 512,
          pointer: () => "/interactiveData/receivedMessage/subtitle",
        })),
      line("scopes", "scope", { hint: t("composer.signIn.scopesHint"), placeholder: "profile, email" }),
      selectField({
        label: t("composer.signIn.way"), draft, key: "way", changed: () => this.reshape('[data-key="way"]'),
        choices: ["page", "key"].map((way) => [way, t(`composer.signIn.way.${way}`)]),
      }),
      ...(draft.way === "page" ? [this.#plain(line("redirectURI", "redirectURI", {
        type: "url", inputMode: "url", maxLength: 2048, placeholder: "https://", hint: t("composer.signIn.redirectHint"), className: "cp-mono",
      }))] : this.#keyFields(line, changed)),
      fold(t("composer.signIn.more"), this.#plain(line("state", "state", {
        maxLength: 1024, hint: t("composer.signIn.stateHint"), optional: t("composer.template.optional"), className: "cp-mono",
      }))),
      cardTexts(draft, changed, { hidesTitle: true }),
    ];
  }

  #keyFields(line, changed) {
    return [
      this.#plain(line("key", "responseEncryptionKey", { rows: 2, maxLength: 132, hint: t("composer.signIn.keyHint"), className: "cp-mono" })),
      row(selectField({
        label: t("composer.signIn.responseType"), draft: this.draft, key: "responseType", changed,
        choices: ["code", "token"].map((type) => [type, t(`composer.signIn.responseType.${type}`)]), pointer: () => `${OAUTH}/responseType`,
      }), this.#plain(line("secret", "clientSecret", { maxLength: 1024, optional: t("composer.template.optional"), className: "cp-mono" }))),
    ];
  }

  /** A field whose text is no prose. */
  #plain(box) {
    box.control.spellcheck = false;
    return box;
  }

  payload() {
    return authenticationPayload(this.draft, this.context.envelope());
  }

  isBlank() {
    const { scopes, redirectURI, key, state } = this.draft;
    return [scopes, redirectURI, key, state].every((text) => !text.trim());
  }

  example() {
    return {
      ...this.blankDraft(), scopes: "profile, email", redirectURI: tryingPage(this.context.envelope()),
      received: { ...blankCard(t("composer.example.signIn.title")), subtitle: t("composer.example.signIn.subtitle") },
    };
  }
}
customElements.define("authentication-form", AuthenticationForm);

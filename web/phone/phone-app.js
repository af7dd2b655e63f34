import { registerStrings } from "../lib/i18n.js";
import { api } from "../lib/api.js";
import { applyAccent } from "../lib/accent.js";
import { Backoff, connectionOr } from "../lib/backoff.js";
import { h, replace } from "../lib/dom.js";
import { language, onLanguageChange, showLanguage, t } from "../lib/i18n.js";
import { showScheme } from "../lib/theme.js";
import { viewStyles } from "../cards/view-styles.js";
import { handOver } from "./hand-over.js";
import { forgetFiles, holdFiles, readHeldFiles } from "./held-files.js";
import { showAsApp } from "./home-screen.js";
import { ANSWER_SECONDS, recallBusiness, rememberBusiness } from "./known-business.js";
import { keepAboveKeyboard } from "./keyboard-room.js";
import { forgetAll, recall } from "./memory.js";
import { noticePage } from "./notice-page.js";
import { PreviewConversation } from "./preview-conversation.js";
import { placeOf, readRoute } from "./route.js";
import "./code-form.js";
import "./phone-chat.js";
import { previewDraft } from "./preview-draft.js";

await registerStrings({ en: () => import("../i18n/en/phone.js"), ja: () => import("../i18n/ja/phone.js") });
document.adoptedStyleSheets = [...document.adoptedStyleSheets, viewStyles];

/** How many of the last messages a preview shows. */
const SHOWN_MESSAGES = 30;
/** How long files that were kept are waited for: the conversation opens without them too. */
const HELD_MILLISECONDS = 2000;

/** The customer's page: reads the address and opens the page that it names. */
export class PhoneApp extends HTMLElement {
  #backoff = new Backoff({ firstMilliseconds: 1000 });
  #show = () => {};
  #chat = null;
  /** What the page around this one wants to be shown, until there is a conversation to show it in. */
  #wanted = {};
  /** The page around this one, where this is the frame of a widget. */
  #embedding = null;
  /** What the customer had chosen before signing in. @type {File[]} */
  #held = [];
  /** Under which key this tab keeps them; null for none. */
  #heldKey = null;
  #paint = () => {};

  connectedCallback() {
    onLanguageChange(() => this.#show());
    keepAboveKeyboard();
    this.open();
  }

  /** Opens the page that the address names; without a connection it retries by itself. */
  async open() {
    const route = readRoute(location);
    if (route.page === "preview") return;
    if (route.page === "code") return this.#openCode(route);
    if (route.generation !== undefined) await this.#embed(route);
    this.#draw(() => replace(this, noticePage({ title: t("phone.opening"), isBusy: true })));
    const known = route.page === "chat" && !this.#embedding ? recallBusiness(route.business) : null;
    try {
      const found = route.page === "join"
        ? await api.get(`/api/phone/codes/${encodeURIComponent(route.code)}`)
        : null;
      const business = found ? found.business.id : route.business;
      const place = placeOf(business, route.generation);
      const info = await api.get(place.base, known ? { timeoutSeconds: ANSWER_SECONDS } : {});
      const entry = found ? { code: found.code ?? route.code } : route.entry;
      this.#openChat(info, entry, route.body ?? "", place);
    } catch (problem) {
      if (known && problem.mayRetry) return this.#openChat({ business: known, isRecalled: true }, route.entry, route.body, placeOf(route.business));
      if (known && problem.status === 404) rememberBusiness(route.business, null);
      this.#openProblem(problem, route);
    }
  }

  /**
   * For the page around this one, where it is in a frame: the conversation of a preview, the card being written,
   * language and colours.
   * @param {{business?: any, messages?: any[], draft?: any, draftAttachments?: any[], isTyping?: boolean,
   *   attachmentUrl?: (id: string, message?: string) => string, look?: {locale: string, scheme: string}}} values
   */
  show(values) {
    Object.assign(this.#wanted, values);
    if (values.look) {
      if (values.look.locale !== language()) showLanguage(values.look.locale);
      showScheme(values.look.scheme);
      this.#paint();
    }
    if (readRoute(location).page === "preview" && values.business) this.#openPreview(values.business);
    this.#showWanted(values);
  }

  #openPreview(business) {
    if (this.#chat?.conversation.business.id === business.id) return;
    const conversation = new PreviewConversation(business);
    this.#draw(() => { document.title = business.name; });
    this.#paint = () => applyAccent(document.documentElement, business.colour);
    this.#paint();
    this.#chat = h("phone-chat", { ".info": { business }, ".conversation": conversation });
    replace(this, this.#chat);
    this.#showWanted(this.#wanted);
  }

  #showWanted(values) {
    const { conversation } = this.#chat ?? {};
    if (!conversation) return;
    if (conversation.isPreview) {
      if (values.attachmentUrl) conversation.attachmentUrl = values.attachmentUrl;
      if (values.messages) conversation.show(values.messages.slice(-SHOWN_MESSAGES));
      if ("isTyping" in values) this.#chat.showTyping(values.isTyping);
    }
    if ("draft" in values || "draftAttachments" in values) {
      const { draft = null, draftAttachments = [], attachmentUrl } = this.#wanted;
      this.#chat.draft = draft && { payload: previewDraft(draft), attachments: draftAttachments, attachmentUrl };
    }
  }

  #openCode(route) {
    const last = recall("fd.phone.last");
    if (route.isApp && last) return location.replace(`/b/${encodeURIComponent(last)}`);
    this.#draw(() => replace(this, h("code-form", { ".typed": route.typed ?? "" })));
  }

  /** Joins this page to the one around the frame; what was kept for another customer of this browser is removed. */
  async #embed(route) {
    if (this.#embedding) return;
    const { Embedding } = await import("./embedding.js");
    this.#embedding = new Embedding();
    document.documentElement.classList.add("is-embedded");
    const read = (locale) => showLanguage(locale.toLowerCase().split(/[-_]/)[0]);
    if (route.locale) await read(route.locale);
    this.#embedding.addEventListener("locale", ({ detail }) => read(detail.locale));
    const { key } = placeOf(route.business, route.generation);
    const start = `fd.widget.${route.business}.`;
    const former = route.from ? placeOf(route.business, route.from).key : null;
    if (former) handOver(former, key);
    if (route.held) await this.#readHeld(former, key, route.held);
    forgetAll(start, `${key}.`);
    forgetFiles(start, former ? [key, former] : [key]);
  }

  /** Gets what this tab has kept for signing in; where the customer was not signed in, it is still in messages. */
  async #readHeld(former, key, holder) {
    if (!former) {
      holdFiles(`${key}.${holder}`, []);
      return this.#embedding.released();
    }
    this.#heldKey = `${former}.${holder}`;
    const reading = readHeldFiles(this.#heldKey).then((files) => {
      if (this.#chat) this.#chat.composer.hold(files);
      else this.#held = files;
    });
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, HELD_MILLISECONDS))]);
  }

  #openChat(info, entry, body, place) {
    this.#look(info.business);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#paint());
    this.#chat = h("phone-chat", {
      ".info": info, ".entry": entry, ".prefill": body, ".place": place, ".embedding": this.#embedding,
      ".held": this.#held, ".heldKey": this.#heldKey, ".isNamed": readRoute(location).isNamed === true,
    });
    replace(this, this.#chat);
    this.#showWanted(this.#wanted);
    this.#embedding?.ready();
    if (!this.#embedding) this.#keep(this.#chat.conversation);
  }

  /** Shows whose page it is. */
  #look(business) {
    this.#draw(() => {
      document.title = business.name || t("phone.title");
    });
    this.#paint = () => applyAccent(document.documentElement, business.colour);
    this.#paint();
    if (!this.#embedding) showAsApp(business);
  }

  /** Has the browser of a customer, or a home screen, keep what the page needs to open without a connection. */
  #keep(conversation) {
    let kept = false;
    const isApp = matchMedia("(display-mode: standalone)").matches;
    const keep = () => {
      if (kept || !(conversation.hasCustomer || isApp)) return;
      kept = true;
      rememberBusiness(conversation.business.id, conversation.business);
      import("./kept-page.js").then((late) => late.keepPage(conversation.business.id)).catch(() => {});  // Safe: kept at the next opening.
    };
    conversation.addEventListener("known", () => this.#look(conversation.business));
    conversation.addEventListener("change", keep);
    keep();
  }

  #openProblem(problem, route) {
    const isGone = problem.status === 404;
    const name = !isGone ? "line" : route.page === "join" ? "gone" : "missing";
    this.#draw(() => replace(this, noticePage({
      title: t(`phone.${name}.title`), hint: t(`phone.${name}.hint`),
      link: isGone && !this.#embedding ? { href: "/j", text: t("phone.code.title") } : null, isBusy: !isGone,
    })));
    if (!isGone) connectionOr(this.#backoff.next()).then(() => this.open());
  }

  /** Shows something now, and again when the language changes. */
  #draw(work) {
    this.#show = work;
    work();
  }
}

customElements.define("phone-app", PhoneApp);

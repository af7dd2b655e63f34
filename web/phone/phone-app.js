import { registerStrings } from "../lib/i18n.js";
import en from "../i18n/en/phone.js";
import ja from "../i18n/ja/phone.js";
import { api } from "../lib/api.js";
import { applyAccent } from "../lib/accent.js";
import { Backoff } from "../lib/backoff.js";
import { h, replace } from "../lib/dom.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { viewStyles } from "../cards/view-styles.js";
import { recall } from "./memory.js";
import { noticePage } from "./notice-page.js";
import { readRoute } from "./route.js";
import "./code-form.js";
import "./phone-chat.js";

registerStrings({ en, ja });
document.adoptedStyleSheets = [...document.adoptedStyleSheets, viewStyles];

/** The customer's page: reads the address and opens the page that it names. */
export class PhoneApp extends HTMLElement {
  #backoff = new Backoff({ firstMilliseconds: 1000 });
  #show = () => {};

  connectedCallback() {
    onLanguageChange(() => this.#show());
    this.open();
  }

  /** Opens the page that the address names; without a connection it retries by itself. */
  async open() {
    const route = readRoute(location);
    if (route.page === "code") return this.#openCode(route);
    this.#draw(() => replace(this, noticePage({ title: t("phone.opening"), isBusy: true })));
    try {
      const found = route.page === "join"
        ? await api.get(`/api/phone/codes/${encodeURIComponent(route.code)}`)
        : null;
      const business = found ? found.business.id : route.business;
      const info = await api.get(`/api/phone/${encodeURIComponent(business)}`);
      const entry = found ? { code: found.code ?? route.code } : route.entry;
      this.#openChat(info, entry, route.body ?? "");
    } catch (problem) {
      this.#openProblem(problem, route);
    }
  }

  #openCode(route) {
    const last = recall("fd.phone.last");
    if (route.isApp && last) return location.replace(`/b/${encodeURIComponent(last)}`);
    this.#draw(() => replace(this, h("code-form")));
  }

  #openChat(info, entry, body) {
    this.#draw(() => {
      document.title = info.business.name || t("phone.title");
    });
    const paint = () => applyAccent(document.documentElement, info.business.colour);
    paint();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    const chat = h("phone-chat", { ".info": info, ".entry": entry, ".prefill": body });
    replace(this, chat);
  }

  #openProblem(problem, route) {
    const isGone = problem.status === 404;
    const name = !isGone ? "line" : route.page === "join" ? "gone" : "missing";
    this.#draw(() => replace(this, noticePage({
      title: t(`phone.${name}.title`), hint: t(`phone.${name}.hint`),
      link: isGone ? { href: "/j", text: t("phone.code.title") } : null, isBusy: !isGone,
    })));
    if (!isGone) setTimeout(() => this.open(), this.#backoff.next());
  }

  /** Shows something now, and again when the language changes. */
  #draw(work) {
    this.#show = work;
    work();
  }
}

customElements.define("phone-app", PhoneApp);

import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { segments } from "../lib/segments.js";
import { setTheme, theme, themes } from "../lib/theme.js";
import { card, sentence } from "./panel-parts.js";
import { mayAnywhere } from "./permissions.js";
import { language, languages, registerStrings, setLanguage, t } from "../lib/i18n.js";
import { sectionsFor, writeRoute } from "./routes.js";
import { approvalCount } from "./side-link.js";
import { followForms } from "./unsaved-forms.js";
import "./approvals-panel.js";
import "./assignment-panel.js";
import "./attributes-panel.js";
import "./audit-panel.js";
import "./bots-panel.js";
import "./businesses-panel.js";
import "./gateway-panel.js";
import "./hours-panel.js";
import "./key-settings.js";
import "./keys-panel.js";
import "./labels-panel.js";
import "./library-panel.js";
import "./account-settings.js";
import "./linked-identities.js";
import "./macros-panel.js";
import "./members-panel.js";
import "./service-levels.js";
import "./notification-settings.js";
import "./passkey-settings.js";
import "./retention-panel.js";
import "./rules-panel.js";
import "./second-factor.js";
import "./satisfaction-panel.js";
import "./teams-panel.js";
import "./webhooks-panel.js";
import "./widget-panel.js";

await registerStrings({ en: () => import("../i18n/en/roles.js"), ja: () => import("../i18n/ja/roles.js") });

/** Where there is one column: the list of the parts, then the part that was chosen, with the way back. */
const ONE_COLUMN = matchMedia("(max-width: 720px)");

/** The part that was shown, and whether another was chosen: the page is made anew in the same moment. */
let shownBefore = "";
let isChosen = false;

/** The delays that are offered, in seconds. */
const SEND_DELAYS = [0, 5, 10, 20, 30];

/** One page of settings with its parts beside it. */
class SettingsPage extends HTMLElement {
  session = null;
  state = null;
  section = "businesses";
  /** Whether the address names no part. */
  isList = false;
  #approvals = 0;
  #end = new AbortController();
  guard = followForms(this);

  connectedCallback() {
    const panels = {
      businesses: () => h("businesses-panel", { ".session": this.session }),
      members: () => h("members-panel", { ".session": this.session, ".state": this.state }),
      teams: () => h("teams-panel", { ".session": this.session }),
      assignment: () => h("assignment-panel", { ".session": this.session }),
      labels: () => h("labels-panel", { ".session": this.session }),
      attributes: () => h("attributes-panel", { ".session": this.session }),
      hours: () => h("hours-panel", { ".session": this.session }),
      levels: () => h("service-levels", { ".session": this.session }),
      satisfaction: () => h("satisfaction-panel", { ".session": this.session }),
      rules: () => h("rules-panel", { ".session": this.session, ".state": this.state }),
      macros: () => h("macros-panel", { ".session": this.session }),
      library: () => h("library-panel", { ".session": this.session }),
      keys: () => h("keys-panel", { ".session": this.session }),
      bots: () => h("bots-panel", { ".session": this.session, ".state": this.state }),
      webhooks: () => h("webhooks-panel", { ".session": this.session, ".state": this.state }),
      widget: () => h("widget-panel", { ".session": this.session }),
      gateway: () => h("gateway-panel", { ".session": this.session }),
      retention: () => h("retention-panel", { ".session": this.session }),
      approvals: () => h("approvals-panel", { ".session": this.session, ".state": this.state }),
      audit: () => h("audit-panel", { ".session": this.session }),
      me: () => this.#me(),
    };
    const links = sectionsFor(this.session).map((name) => this.#link({ name: "settings", section: name }, { dataset: { section: name } },
      t(`console.section.${name}`), name === "approvals" ? approvalCount(this.#approvals) : null, icon("chevron", 18)));
    const nav = h("nav", { class: "settings-nav", "aria-label": t("console.settings") }, h("h1", null, t("console.settings")), links);
    const main = h("main", { class: "settings-main", tabindex: "-1" },
      this.#link({ name: "settings", section: this.section, isList: true }, { class: "settings-back" }, icon("back", 18), t("console.settings.all")),
      panels[this.section]());
    const mark = () => links.forEach((link) => { link.ariaCurrent = link.dataset.section === this.section && !(this.isList && ONE_COLUMN.matches) ? "page" : null; });
    mark();
    ONE_COLUMN.addEventListener("change", mark, { signal: this.#end.signal });
    this.classList.toggle("is-list", Boolean(this.isList));
    replace(this, h("div", { class: "settings" }, nav, main));
    const [before, wasChosen] = [links.find((link) => link.dataset.section === shownBefore), isChosen];
    isChosen = false;
    // Where there is not room for all of them, the one that is open is in view; the page is not shown yet.
    requestAnimationFrame(() => {
      const open = links.find((link) => link.ariaCurrent);
      if (open) nav.scrollTop = open.offsetTop - nav.clientHeight / 2;
      if (!ONE_COLUMN.matches) return;
      if (this.isList) before?.focus();
      else if (wasChosen) main.focus({ preventScroll: true });
    });
  }

  /** How many approvals wait for the signed-in person: they stand at the link to where they are given. */
  set approvals(count) {
    this.#approvals = count;
    const link = this.querySelector("[data-section=approvals]");
    link?.querySelector(".side-count")?.remove();
    link?.lastElementChild.before(approvalCount(count) ?? "");
  }

  disconnectedCallback() {
    this.#end.abort();
    shownBefore = this.isList ? "" : this.section;
    // Another page of the settings is in its place by then, or none is.
    queueMicrotask(() => { shownBefore = ""; });
  }

  /** A link to a part of the settings, or to the list of them. */
  #link(route, attributes, ...words) {
    const path = writeRoute(route);
    return h("a", { href: path, ...attributes, onClick: (event) => {
      event.preventDefault();
      isChosen = true;
      this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: path }));
    } }, words);
  }

  /** How long a message waits in which it can be withdrawn; the server keeps the choice. */
  #delay() {
    const problem = h("p", { class: "fd-error", role: "alert" });
    const choices = SEND_DELAYS.map((seconds) => [String(seconds), seconds ? t("console.sendDelay.seconds", { count: seconds }) : t("console.sendDelay.none")]);
    return card(t("console.sendDelay"), h("p", { class: "fd-help" }, t("console.sendDelay.lead")),
      segments(t("console.sendDelay"), choices, String(this.session.preferences?.sendDelay ?? 0), async (chosen) => {
        problem.textContent = "";
        try {
          this.session.preferences = await api.patch("/api/session/preferences", { sendDelay: Number(chosen) });
          this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
        } catch (refusal) {
          problem.textContent = sentence(refusal);
        }
      }), problem);
  }

  /** The businesses that are closed to a member without a second factor. */
  #waiting() {
    const waiting = this.session.secondFactor?.waiting ?? [];
    if (!waiting.length) return null;
    const businesses = new Intl.ListFormat(language(), { type: "conjunction" }).format(waiting);
    return h("p", { class: "callout", role: "status" }, t("console.account.waiting.lead", { businesses }));
  }

  #me() {
    const { agent } = this.session;
    return h("section", { class: "panel" },
      h("h1", null, t("console.section.me")),
      h("account-settings", { class: "settings-card", ".agent": agent }),
      h("section", { class: "settings-card" }, this.#waiting(), h("second-factor-settings", { ".email": agent.email })),
      h("passkey-settings", { class: "settings-card", ".account": agent.id }),
      h("linked-identities", { class: "settings-card" }),
      mayAnywhere(this.session, "messages.send") ? this.#delay() : null,
      h("notification-settings", { class: "settings-card", ".session": this.session }),
      card(t("shared.display"),
        h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("shared.theme")),
          segments(t("shared.theme"), themes.map((one) => [one, t(`shared.theme.${one}`)]), theme(), (one) => {
            setTheme(one);
            this.dispatchEvent(new CustomEvent("theme-change", { bubbles: true }));
          })),
        h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("shared.language")),
          segments(t("shared.language"), Object.entries(languages), language(), setLanguage, true))),
      h("key-settings", { class: "settings-card", ".session": this.session }));
  }
}

customElements.define("settings-page", SettingsPage);

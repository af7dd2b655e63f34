import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { language, onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { dropToasts } from "../lib/toast.js";
import { loadConversation } from "./conversation-loading.js";
import { nameCutWords } from "./cut-words.js";
import { readRoute } from "./routes.js";
import "./workspace.js";

await Promise.all([
  registerStrings({ en: () => import("../i18n/en/console.js"), ja: () => import("../i18n/ja/console.js") }),
  registerStrings({ en: () => import("../i18n/en/settings.js"), ja: () => import("../i18n/ja/settings.js") }),
  // Those of the conversation's elements come with the others: what loads these would wait for them.
  registerStrings({ en: () => import("../i18n/en/composer.js"), ja: () => import("../i18n/ja/composer.js") }),
  registerStrings({ en: () => import("../i18n/en/thread.js"), ja: () => import("../i18n/ja/thread.js") }),
]);

/** Decides what a visitor of the console sees: a one-time link's form, the sign-in, the workspace. */
class DeskConsole extends HTMLElement {
  #forget = null;
  #session = null;

  connectedCallback() {
    this.#forget = onLanguageChange(() => this.#translate());
    this.addEventListener("signed-in", (event) => {
      this.#enter(event.detail.session);
      this.querySelector("desk-workspace")?.focusKeeper.begin();
    });
    this.addEventListener("signed-out", (event) => {
      dropToasts();
      this.#session = null;
      const problem = event.detail?.problem ?? "";
      this.#form = { mode: "sign-in", signsOut: !problem, problem };
      this.#show();
    });
    this.#begin();
  }

  disconnectedCallback() {
    this.#forget?.();
  }

  async #begin() {
    const token = /^#(setup|invite)=([\w-]+)$/.exec(location.hash);
    if (token) {
      // The token leaves the address bar at once, and with it the history.
      history.replaceState(null, "", location.pathname);
      this.#form = token[1] === "setup" ? { mode: "setup", token: token[2] }
        : await openLink(token[2]);
      this.#show();
      return;
    }
    if (location.hash.startsWith("#sso=")) {
      // Why a sign-in through the identity provider ended without a session.
      this.#form = { mode: "sign-in", fragment: location.hash };
      history.replaceState(null, "", location.pathname);
      this.#show();
      return;
    }
    const route = readRoute(location.pathname);
    if (route.name === "inbox" && route.conversation) loadConversation().catch(() => {});  // Safe: the conversation asks again.
    try {
      this.#enter(await api.get("/api/session"));
    } catch (problem) {
      const setup = await api.get("/api/setup").catch(() => ({ needsOwner: false }));
      this.#form = {
        mode: setup.needsOwner ? "closed" : "sign-in",
        problem: problem.isOffline ? t("shared.problem.offline") : "",
      };
      this.#show();
    }
  }

  #form = { mode: "sign-in" };

  #enter(session) {
    const isMember = session.businesses.length > 0;
    this.#session = isMember ? session : null;
    // A node of the version before says nothing of it.
    const waiting = session.secondFactor?.waiting ?? [];
    this.#form = isMember ? { mode: "sign-in" } : !waiting.length ? { mode: "outside" }
      : { mode: "waiting", target: { businesses: listed(waiting), email: session.agent.email, account: session.agent.id } };
    this.#show();
  }

  #show() {
    document.title = t("console.title");
    if (this.#session) {
      replace(this, h("desk-workspace", { ".session": this.#session }));
      return;
    }
    this.#showForm(this.#form);
  }

  /** All words are others; the menu in which the language was chosen stays open. */
  #translate() {
    const isChoosing = /** @type {any} */ (this.querySelector("profile-menu"))?.isOpen;
    this.#show();
    if (isChoosing) /** @type {any} */ (this.querySelector("profile-menu"))?.open(language());
  }

  /** The form of a visitor; who is signed in never loads it. */
  async #showForm(form) {
    await Promise.all([import("./sign-in.js"), form.mode === "waiting" ? import("./second-factor.js") : null,
      form.mode === "waiting" ? import("./passkey-settings.js") : null]);
    if (this.#session || form !== this.#form) return;
    replace(this, h("sign-in-form", {
      ".mode": form.mode, ".token": form.token ?? "", ".problem": form.problem ?? "", ".target": form.target ?? {},
      ".fragment": form.fragment ?? "", ".signsOut": form.signsOut ?? false,
    }));
  }
}

/** Names as one text. @param {string[]} names */
function listed(names) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}

/** Where an invitation or a link for a new password leads. @param {string} token */
async function openLink(token) {
  try {
    const target = await api.post("/api/invitations/open", { token });
    const mode = target.kind === "password" ? "password" : target.hasAccount ? "join" : "invite";
    return { mode, token, target };
  } catch (problem) {
    return { mode: "dead", problem: problem.status === 401 ? "" : refusalSentence(problem) };
  }
}

customElements.define("desk-console", DeskConsole);
nameCutWords(document);

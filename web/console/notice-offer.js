import { whileBusy } from "../lib/busy.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { showToast } from "../lib/toast.js";
import { pushOf } from "./agent-push.js";
import { setPreferences } from "./preferences.js";
import { writePushChoice } from "./push-choice.js";

await registerStrings({ en: () => import("../i18n/en/notices.js"), ja: () => import("../i18n/ja/notices.js") });

/**
 * Offers an agent to be notified on this device, once: a quiet line below the list. Value down: `agent`, the id.
 */
class NoticeOffer extends HTMLElement {
  agent = "";
  #endLanguage = () => {};

  connectedCallback() {
    adopt(styles);
    this.#endLanguage = onLanguageChange(() => this.#draw());
    this.#draw();
  }

  disconnectedCallback() {
    this.#endLanguage();
  }

  #draw() {
    const accept = h("button", { type: "button", onClick: () => whileBusy(accept, () => this.#accept()) }, icon("bell", 18), t("console.noticeOffer"));
    replace(this, accept, h("button", { type: "button", class: "is-later", onClick: () => this.#decline() }, t("console.noticeOffer.later")));
  }

  /** One question of the browser, and both ways: by a page that has no focus, and while no console is in use. */
  async #accept() {
    try {
      const state = await pushOf(this.agent).turnOn();
      if (state === "on") showToast(t("console.noticeOffer.isOn"));
      else if (state === "blocked") showToast(t("console.notices.denied"));
      else return;
      this.#end();
    } catch {
      showToast(t("console.notices.push.failed"));
    } finally {
      // Also where the push service fails: the pages that are open notify all the same.
      if (Notification.permission === "granted") setPreferences({ browser: true });
    }
  }

  #decline() {
    writePushChoice(this.agent, false);
    this.#end();
  }

  /** The focus stays in the list, beside which the line stood. */
  #end() {
    const list = this.closest("section");
    const hadFocus = this.contains(document.activeElement);
    this.remove();
    if (hadFocus) /** @type {HTMLElement|null|undefined} */ (list?.querySelector("h1"))?.focus();
  }
}

const styles = sheet(`
notice-offer { display: flex; flex: none; flex-wrap: wrap; align-items: center; justify-content: space-between; padding: 0 6px; border-top: 1px solid var(--fd-line);
  background: var(--fd-bg-sunken); }
notice-offer button { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 8px; border: 0; background: none; color: var(--fd-accent-text);
  font-size: var(--fd-text-sm); font-weight: 500; text-align: start; cursor: pointer; }
notice-offer .is-later { color: var(--fd-ink-2); font-weight: 400; }
`);

customElements.define("notice-offer", NoticeOffer);

/**
 * Shows the offer below a list, where it does not stand already.
 * @param {HTMLElement} list @param {string} agent the id
 */
export function offerNotices(list, agent) {
  if (list.querySelector("notice-offer")) return;
  list.querySelector("section").append(Object.assign(document.createElement("notice-offer"), { agent }));
}

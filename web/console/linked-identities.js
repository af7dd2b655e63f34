import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { formatAt } from "../lib/time.js";

await registerStrings({ en: () => import("../i18n/en/sign-on.js"), ja: () => import("../i18n/ja/sign-on.js") });

/** The own account at the identity provider, shown to its person alone; nothing where there is none. */
class LinkedIdentities extends HTMLElement {
  async connectedCallback() {
    this.hidden = true;
    const answer = await api.get("/api/session/identities").catch(() => null);  // Safe: it is only shown.
    const identities = answer?.identities ?? [];
    if (!this.isConnected || !identities.length) return;
    replace(this, h("h2", null, t("console.sso.identity")), identities.map(({ issuer, createdAt }) => h("p", null,
      t("console.sso.identity.since", { issuer, date: formatAt(new Date(createdAt), { dateStyle: "long" }) }))));
    this.hidden = false;
  }
}

customElements.define("linked-identities", LinkedIdentities);

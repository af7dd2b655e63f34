import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatDivider } from "../lib/time.js";
import { card, confirmAction, copyField, field, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";

/** Keys for programs: created once, shown once; each business's owners see and end its grants. */
class KeysPanel extends HTMLElement {
  session = null;

  connectedCallback() {
    if (this.#owned.length) this.#load();
    else {
      replace(this, h("section", { class: "panel" }, h("h1", null, t("console.apiKeys")),
        h("p", { class: "fd-help" }, t("console.apiKeysLead")),
        h("p", null, t("console.onlyOwners.keys"))));
    }
  }

  /** The businesses for which this person may create keys. */
  get #owned() {
    return this.session.businesses.filter((one) => may(one, "keys.manage"));
  }

  async #load({ secret = "", problem: refusal = "" } = {}) {
    let keys;
    try {
      keys = (await api.get("/api/keys")).data;
    } catch (problem) {
      replace(this, h("p", { class: "fd-error", role: "alert" }, sentence(problem)));
      return;
    }
    const names = new Map(this.session.businesses.map((one) => [one.id, one.name]));
    replace(this, h("section", { class: "panel" },
      h("h1", null, t("console.apiKeys")),
      h("p", { class: "fd-help" }, t("console.apiKeysLead")),
      refusal ? h("p", { class: "fd-error", role: "alert" }, refusal) : null,
      secret ? h("div", { class: "callout", role: "status" },
        h("p", null, t("console.secretOnce")), copyField(t("console.secret"), secret)) : null,
      card("", keys.length ? h("div", { class: "table-frame is-first", tabindex: "0", role: "region", "aria-label": t("console.apiKeys") },
        h("table", { class: "table" },
          h("thead", null, h("tr", null, h("th", { scope: "col" }, t("console.name")),
            h("th", { scope: "col" }, t("console.business")),
            h("th", { scope: "col" }, t("console.answersFor")),
            h("th", { scope: "col" }, t("console.made")), h("td"))),
          h("tbody", null, keys.flatMap((key) => key.grants.map((grant) => h("tr", null,
            h("td", null, key.name),
            h("td", null, names.get(grant.business) ?? grant.business),
            h("td", null, grant.byName ?? t("console.operator")),
            h("td", null, formatDivider(new Date(key.createdAt))),
            h("td", null, this.#buttons(key, grant)))))))) : h("p", null, t("console.noKeys"))),
      this.#form()));
  }

  #form() {
    const name = h("input", { class: "fd-input", required: true, maxlength: 100 });
    const business = h("select", { class: "fd-input" },
      this.#owned.map((one) => h("option", { value: one.id },
        one.mode === "test" ? `${one.name} (${t("console.test")})` : one.name)));
    return card(t("console.newKey"), savingForm({
      save: t("console.makeKey"),
      onSave: async () => {
        const made = await api.post("/api/keys", { name: name.value, businesses: [business.value] });
        await this.#load({ secret: made.secret });
      },
    },
    field("key-name", t("console.keyName"), name),
    field("key-business", t("console.business"), business)));
  }

  #buttons(key, grant) {
    const path = `/api/businesses/${grant.business}/keys/${key.id}`;
    const isOthers = grant.by && grant.by !== this.session.agent.id;
    return [
      isOthers ? h("button", {
        type: "button", class: "fd-button is-plain",
        "aria-label": t("console.keepKey", { name: key.name }),
        onClick: () => this.#change(() => api.put(path)),
      }, t("console.keep")) : null,
      h("button", {
        type: "button", class: "fd-button is-danger is-plain",
        "aria-label": t("console.revokeKey", { name: key.name }),
        onClick: () => this.#revoke(key, path),
      }, t("console.revoke")),
    ];
  }

  async #revoke(key, path) {
    const question = t("console.revokeKey", { name: key.name });
    if (!(await confirmAction(question, t("console.revoke")))) return;
    await this.#change(() => api.delete(path));
  }

  /** @param {() => Promise<any>} change */
  async #change(change) {
    try {
      await change();
      await this.#load();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }
}

customElements.define("keys-panel", KeysPanel);

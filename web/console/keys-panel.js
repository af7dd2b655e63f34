import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { drawKeepingFocus } from "../lib/focus-return.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { placeNodes } from "../lib/reconcile.js";
import { formatFarMoment } from "../lib/time.js";
import { showLateSecret } from "./late-secret.js";
import { showUnread } from "./load-alert.js";
import { card, confirmAction, copyField, lead, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { useSettingsStyles } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/keys.js"), ja: () => import("../i18n/ja/keys.js") });
const { keyForm, replaceForm, requestTable } = await import("./key-form.js");

const styles = sheet(`
.key-list { display: grid; margin: 0; padding: 0; list-style: none; }
.key-item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px 12px; padding: 14px 0; border-top: 1px solid var(--fd-line); }
.key-item:first-child { border-top: 0; padding-top: 0; }
.key-item h3 { margin: 0; overflow-wrap: anywhere; }
.key-item p { margin: 2px 0 0; overflow-wrap: anywhere; }
.key-item .key-tags { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.key-tag { padding: 2px 10px; border-radius: var(--fd-radius-full); background: var(--fd-bg-sunken); color: var(--fd-ink-2); font-size: var(--fd-text-xs); line-height: 20px; font-weight: 500; }
.key-tag.is-warn { background: var(--fd-warn-soft); color: var(--fd-warn); }
.key-buttons { display: flex; flex-wrap: wrap; align-items: start; justify-content: end; gap: 6px; }
.key-grant { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; margin-top: 6px; }
.key-grant .copy-field { flex-basis: 100%; }
.key-detail { grid-column: 1 / -1; }
.key-detail:empty { display: none; }
keys-panel .marks { display: grid; gap: 6px; }
keys-panel .key-answer { white-space: nowrap; }
/* Of hundreds of keys only those in view are laid out; the room beside them is for the outline of a button with the focus. */
@media (min-width: 641px) { .key-item { content-visibility: auto; contain-intrinsic-block-size: auto 100px; margin-inline: -6px; padding-inline: 6px; } }
@media (max-width: 640px) { .key-item { grid-template-columns: minmax(0, 1fr); } .key-buttons { justify-content: start; gap: 0; margin-inline-start: -16px; } .key-item .fd-button { min-height: 44px; } }
`);

/** A key that ends within this time stands out. */
const SOON_MILLISECONDS = 30 * 86_400_000;

/** Keys for programs: created once, shown once; each business's owners see and end its grants. Value down: `session`. */
class KeysPanel extends HTMLElement {
  session = null;
  #panel = h("section", { class: "panel" });
  #head = [];
  #problem = h("p", { class: "fd-error", role: "alert" });
  #list = h("ul", { class: "key-list" });
  #none = h("p", null, t("console.noKeys"));
  #keys = card("", this.#list, this.#none);
  /** The form of a new key, which stays while other keys change. */
  #form = null;
  /** The row of each key, with what it shows. */
  #rows = new Map();
  /** Counts the readings of the keys. */
  #round = 0;

  connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    this.#head = [h("h1", null, t("console.apiKeys")), lead(t("console.apiKeysLead"), "api", t("keys.docs"))];
    if (this.#owned.length) this.#load();
    else {
      replace(this, h("section", { class: "panel" }, this.#head, h("p", null, t("console.onlyOwners.keys"))));
    }
  }

  /** The businesses for which this person may create keys. */
  get #owned() {
    return this.session.businesses.filter((one) => may(one, "keys.manage"));
  }

  /**
   * Reads the keys and shows them. A secret is shown in any case, also when the page was left meanwhile.
   * @param {{done?: {key: {name: string}, secret: string}|null, isNew?: boolean, problem?: string}} [after] `done`: a key that was made; `isNew`: by
   *   the form of a new key, which begins anew then
   */
  async #load({ done = null, isNew = false, problem = "" } = {}) {
    const round = (this.#round += 1);
    let [keys, refusal] = [null, null];
    try {
      keys = (await api.get("/api/keys")).data;
    } catch (unread) {
      refusal = unread;
    }
    const former = this.#form;
    if (isNew || !former) this.#form = card(t("console.newKey"), keyForm(this.#owned, (one) => this.#load({ done: one, isNew: true })));
    if (round !== this.#round || !this.isConnected) {
      if (former !== this.#form) drawKeepingFocus(this.#panel, () => former?.replaceWith(this.#form));
      if (problem) this.#problem.textContent = problem;
      if (done) showLateSecret(done.key, t("console.secretOnce"), t("console.secret"), done.secret);
      return;
    }
    const made = done ? h("div", { class: "callout", role: "status" },
      h("p", null, t("console.secretOnce")), copyField(t("console.secret"), done.secret)) : null;
    const { activeElement } = document;
    const isElsewhere = activeElement?.matches("input, select, textarea") && this.#form.contains(activeElement) && !isNew;
    if (!this.#panel.isConnected) replace(this, this.#panel);
    this.#problem.textContent = problem;
    if (refusal) showUnread(this.#problem, refusal, () => this.#load());
    drawKeepingFocus(this.#panel, () => {
      if (keys) placeNodes(this.#list, this.#rowsOf(keys));
      this.#list.hidden = !this.#rows.size;
      this.#none.hidden = !keys || keys.length > 0;
      placeNodes(this.#panel, [...this.#head, this.#problem, ...made ? [made] : [], ...keys || this.#rows.size ? [this.#keys] : [], this.#form]);
    });
    // What is done with the secret next.
    if (made && !isElsewhere) made.querySelector("button").focus();
  }

  /** The rows of keys; that of a key that is as it was stays, with what was opened in it. */
  #rowsOf(keys) {
    const known = this.#rows;
    this.#rows = new Map(keys.map((key) => {
      // A key that is in use changes all the time, and would close what is open in its row.
      const shown = JSON.stringify({ ...key, usedAt: null });
      const former = known.get(key.id);
      return [key.id, former?.shown === shown ? former : { shown, node: this.#row(key) }];
    }));
    return [...this.#rows.values()].map(({ node }) => node);
  }

  #row(key) {
    const { name, addresses, expiresAt, revokedAt } = key;
    const hasEnded = Boolean(revokedAt) || (expiresAt && Date.parse(expiresAt) <= Date.now());
    const detail = h("div", { class: "key-detail" });
    const toggle = (event, make) => {
      const { currentTarget } = event;
      const isOpen = currentTarget.getAttribute("aria-expanded") === "true";
      for (const one of currentTarget.parentElement.querySelectorAll("[aria-expanded]")) one.setAttribute("aria-expanded", "false");
      replace(detail, isOpen ? null : make());
      currentTarget.setAttribute("aria-expanded", String(!isOpen));
    };
    const opener = (label, text, make) => h("button", { type: "button", class: "fd-button is-plain", "aria-expanded": "false", "aria-label": text, onClick: (event) => toggle(event, make) }, label);
    return h("li", { class: "key-item", dataset: { key: key.id } },
      h("div", null, h("h3", null, name),
        h("p", { class: "fd-help" }, [t("keys.madeOn", { time: moment(key.createdAt) }),
          key.usedAt ? t("keys.used", { time: moment(key.usedAt) }) : t("keys.unused"),
          key.replaces ? t("keys.successor") : null].filter(Boolean).join(" · ")),
        h("p", { class: "key-tags" },
          key.scopes.map((scope) => h("span", { class: "key-tag" }, t(`keys.short.${scope}`))),
          addresses.length ? h("span", { class: "key-tag" }, t("keys.from", { addresses: addresses.join(", ") })) : null,
          revokedAt ? h("span", { class: "key-tag is-warn" }, t("keys.revoked", { time: moment(revokedAt) })) : null,
          expiresAt && !revokedAt ? h("span", { class: isNear(expiresAt) ? "key-tag is-warn" : "key-tag" }, t(hasEnded ? "keys.expired" : "keys.expiresOn", { time: moment(expiresAt) })) : null),
        key.grants.map((grant) => this.#grant(key, grant))),
      h("div", { class: "key-buttons" },
        opener(t("keys.requests"), t("keys.requestsOf", { name }), () => requestTable(key)),
        hasEnded ? null : opener(t("keys.replace"), t("keys.replaceTitle", { name }), () => replaceForm(key, (done) => this.#load({ done }))),
        revokedAt ? null : key.grants.length === 1 ? this.#grantButtons(key, key.grants[0])
          : revokeButton(t("keys.revokeEverywhere"), t("keys.revokeEverywhereOf", { name }), () => this.#revoke(`/api/keys/${key.id}`,
            t("keys.revokeAll", { name, businesses: this.#namesOf(key.grants) })))),
      detail);
  }

  /** One business of a key, who answers for it there, and, where there are several, what can be done about it. */
  #grant(key, grant) {
    return h("div", { class: "key-grant" }, h("span", null, h("strong", null, this.#namesOf([grant])), " · ", t("console.answersFor"), ": ", grant.byName ?? t("console.operator")),
      key.grants.length > 1 && !key.revokedAt ? this.#grantButtons(key, grant) : null,
      key.scopes.includes("people") ? copyField(t("keys.scimAddress"), `${location.origin}/api/businesses/${grant.business}/scim/v2`) : null);
  }

  /** The businesses of grants, as one text. */
  #namesOf(grants) {
    const names = grants.map(({ business }) => this.session.businesses.find((one) => one.id === business)?.name ?? business);
    return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
  }

  #grantButtons(key, grant) {
    const { name } = key;
    const path = `/api/businesses/${grant.business}/keys/${key.id}`;
    // Of several businesses one is named, and those for which the key goes on.
    const [business, others] = [this.#namesOf([grant]), this.#namesOf(key.grants.filter((one) => one !== grant))];
    const [words, question] = others ? [t("keys.revokeFor", { name, business }), t("keys.revokeOne", { name, business, others })]
      : [t("console.revokeKey", { name }), t("console.revokeKey", { name })];
    const isOthers = grant.by && grant.by !== this.session.agent.id;
    return [
      isOthers ? h("button", {
        type: "button", class: "fd-button is-plain",
        "aria-label": t("console.keepKey", { name }),
        onClick: () => this.#change(() => api.put(path)),
      }, t("console.keep")) : null,
      revokeButton(t("console.revoke"), words, () => this.#revoke(path, question)),
    ];
  }

  async #revoke(path, question) {
    if (!(await confirmAction(question, t("console.revoke")))) return;
    await this.#change(() => api.delete(path));
  }

  /** @param {() => Promise<any>} change */
  async #change(change) {
    try {
      await change();
      await this.#load();
      // A revoked key is gone, with its button.
      if (!this.contains(document.activeElement)) /** @type {HTMLElement|null} */ (this.querySelector(".key-buttons button, .fd-input"))?.focus();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }
}

/** @param {string} text @param {string} label @param {() => void} press */
function revokeButton(text, label, press) {
  return h("button", { type: "button", class: "fd-button is-danger is-plain", "aria-label": label, onClick: press }, text);
}

/** Whether a time is so near, or past, that something has to be done about it. @param {string} time */
function isNear(time) {
  return Date.parse(time) - Date.now() < SOON_MILLISECONDS;
}

/** A time as the page shows it. @param {string} time */
function moment(time) {
  return formatFarMoment(new Date(time));
}

customElements.define("keys-panel", KeysPanel);

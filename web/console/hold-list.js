import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { customerName } from "../lib/names.js";
import { loadAlert } from "./load-alert.js";
import { card, lead } from "./panel-parts.js";
import { may } from "./permissions.js";
import { writeRoute } from "./routes.js";
import { holdWords, openHold } from "./hold-dialog.js";

adopt(sheet(`
hold-list { display: block; }
.hold-rows { display: grid; gap: 12px; }
.hold-rows li { display: flex; flex-wrap: wrap; align-items: start; gap: 8px 12px; }
.hold-rows li > div { flex: 1 1 220px; min-width: 0; display: grid; gap: 2px; overflow-wrap: anywhere; }
`));

/** What a business keeps from being erased: a part of the settings of retention. Values down: `business`. */
class HoldList extends HTMLElement {
  business = null;
  /** @type {import("./hold-dialog.js").Hold[]} */
  #shown = [];

  connectedCallback() {
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.business.id}`;
  }

  /** @param {string|null} [after] where the next page begins; without it all is read anew */
  async #load(after = null) {
    try {
      const page = await api.get(`${this.#path}/legal-holds`, { query: { "page[after]": after } });
      const isMore = after !== null;
      const count = this.#shown.length;
      this.#shown = isMore ? [...this.#shown, ...page.data] : page.data;
      this.#draw(page);
      // Who asked for more goes on with the first of it.
      if (isMore) this.querySelectorAll("li a")[count]?.focus();
    } catch (problem) {
      replace(this, card(t("holds.list"), loadAlert(problem, () => this.#load(after))));
    }
  }

  #draw({ business, next }) {
    const mayManage = may(this.business, "holds.manage");
    const whole = mayManage ? h("button", { class: "fd-button", type: "button", onClick: () => this.#openWhole(business) },
      t(business ? "holds.edit" : "holds.whole")) : null;
    replace(this, card(t("holds.list"), lead(t("holds.listLead"), "operations#legal-hold", t("holds.docs")),
      business ? h("p", null, holdWords(business, "wholeSince")) : null, whole ? h("div", { class: "form-actions is-start" }, whole) : null,
      this.#shown.length ? h("ul", { class: "hold-rows" }, this.#shown.map((one) => this.#row(one, mayManage)))
        : h("p", { class: "fd-help" }, t("holds.none")),
      next ? h("button", { class: "fd-button", type: "button", onClick: () => this.#load(next) }, t("holds.more")) : null));
  }

  #row(one, mayManage) {
    const name = customerName(one);
    return h("li", null,
      h("div", null, h("a", { href: writeRoute({ name: "inbox", conversation: one.conversation }) }, h("bdi", null, name)),
        h("p", null, one.reason), h("p", { class: "fd-help" }, holdWords(one, "since"))),
      mayManage ? h("button", { class: "fd-button", type: "button", "aria-label": t("holds.editOf", { name }), onClick: () => this.#open(one) }, t("holds.edit")) : null);
  }

  async #open(one) {
    const path = `/api/conversations/${one.conversation}/legal-hold`;
    if (await openHold({ path, kind: "conversation" })) await this.#load();
  }

  async #openWhole(business) {
    if (await openHold({ path: `${this.#path}/legal-hold`, kind: "business", holds: { business, conversation: null } })) await this.#load();
  }
}

customElements.define("hold-list", HoldList);

import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatFarMoment, formatRecord } from "../lib/time.js";
import { detailList, namesOf } from "./approval-parts.js";
import { AREAS, authorOf, isOpen, placeOf, stateWords, subjectOf, whatOf } from "./approval-words.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, field, lead, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField } from "./settings-parts.js";

const styles = sheet(`
.approval-areas { display: grid; gap: 12px; border: 0; margin: 0; padding: 0; }
.approval-areas legend { position: absolute; clip-path: inset(50%); }
.approval-areas .fd-help { margin: 2px 0 0 26px; }
.approval-list { display: grid; gap: 0; margin: 0; padding: 0; list-style: none; }
.approval-list > li { display: grid; gap: 8px; padding: 12px 0; border-top: 1px solid var(--fd-line); overflow-wrap: anywhere; }
.approval-list > li:first-child { border-top: 0; padding-top: 0; }
.approval-list p { margin: 0; }
.approval-list blockquote { margin: 0; padding-inline-start: 10px; border-inline-start: 3px solid var(--fd-line); white-space: pre-wrap; }
`);

/** What needs a second person, what waits for one, and what was decided. Values down: `session`, `state`. */
class ApprovalsPanel extends HTMLElement {
  session = null;
  state = null;
  #business = null;
  /** The business whose lists are on screen. */
  #listed = null;
  /** @type {import("./approval-words.js").Names} */
  #names = {};
  #end = new AbortController();
  /** Counts the questions: the answer to an earlier one is not shown. */
  #asked = 0;

  connectedCallback() {
    adopt(styles);
    const { businesses } = this.session;
    const readable = businesses.filter((one) => may(one, "approvals.read"));
    this.#business = keptBusiness(businesses) ?? readable.find((one) => !one.isSandbox) ?? readable[0] ?? businesses[0];
    this.state?.addEventListener("saved", ({ detail }) => {
      if (detail.kind === "approval" && detail.business === this.#business.id) this.#readLists();
    }, { signal: this.#end.signal });
    this.#load();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}`;
  }

  get #manages() {
    return may(this.#business, "approvals.manage");
  }

  async #load(done = "") {
    const business = this.#business;
    let content;
    if (may(business, "approvals.read")) {
      try {
        const rules = await api.get(`${this.#path}/approval-rules`);
        // The lists of the same business stay, with what is typed in them.
        if (this.#listed !== business) {
          this.waiting = h("div", { role: "group", "aria-label": t("approvals.waiting") });
          this.earlier = h("div", { role: "group", "aria-label": t("approvals.earlier") });
          this.#listed = business;
        }
        content = [card(t("approvals.waiting"), this.waiting), card(t("approvals.rules"), this.#rules(rules, done)), card(t("approvals.earlier"), this.earlier)];
      } catch (problem) {
        content = loadAlert(problem, () => this.#load());
      }
      if (business !== this.#business) return;
    } else {
      content = h("p", { class: "fd-help" }, t("approvals.onlyOwners"));
    }
    replace(this, h("section", { class: "panel" }, h("h1", null, t("approvals.title")),
      businessField("approvals-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        return this.#load();
      }),
      lead(t("approvals.lead"), "approvals", t("approvals.docs")), content));
    if (done) this.querySelector("[type='submit']")?.focus();
    if (may(business, "approvals.read")) await this.#readLists();
  }

  /** The choice of areas; who only reads sees it as it is. */
  #rules({ areas }, done) {
    const boxes = AREAS.map((area) => h("input", { type: "checkbox", id: `approval-${area}`, value: area, checked: areas.includes(area), disabled: !this.#manages, "aria-describedby": `approval-${area}-help` }));
    const choices = h("fieldset", { class: "approval-areas" }, h("legend", null, t("approvals.rules")), boxes.map((box) => h("div", null,
      h("div", { class: "mark" }, box, h("label", { for: box.id }, t(`approvals.area.${box.value}`))),
      h("p", { class: "fd-help", id: `${box.id}-help` }, t(`approvals.area.${box.value}.help`)))));
    if (!this.#manages) return choices;
    const said = h("span", { role: "status", class: "fd-help" }, done);
    const form = savingForm({
      save: t("shared.save"),
      onSave: async () => {
        said.textContent = "";
        await api.put(`${this.#path}/approval-rules`, { areas: boxes.filter((one) => one.checked).map((one) => one.value) });
        await this.#load(t("approvals.saved"));
      },
    }, choices, areas.length ? h("p", { class: "fd-help" }, t("approvals.less")) : null);
    form.querySelector(".form-actions").append(said);
    return form;
  }

  /** Reads what waits and what was decided. */
  async #readLists() {
    if (!this.waiting) return;
    const turn = this.#asked += 1;
    const business = this.#business;
    try {
      const list = (state) => api.getAll(`${this.#path}/approvals`, { query: { "filter[state]": state, "page[size]": 100 } });
      const [asked, approved, { data: newest }] = await Promise.all([list("waiting"), list("approved"), api.get(`${this.#path}/approvals`, { query: { "page[size]": 50 } })]);
      const names = await namesOf(business.id, [...asked, ...approved, ...newest], this.session);
      if (turn !== this.#asked || business !== this.#business) return;
      this.#names = names;
      const own = (one) => one.author.type === "agent" && one.author.id === this.session.agent.id;
      // What was approved waits for who asked for it.
      const waiting = [...asked, ...approved.filter(own)].filter((one) => isOpen(one));
      const others = [...approved.filter((one) => isOpen(one) && !own(one)), ...newest];
      const earlier = [...new Map(others.map((one) => [one.id, one])).values()].filter((one) => !waiting.some(({ id }) => id === one.id));
      this.#show(this.waiting, waiting.map((one) => this.#waitingItem(one, own(one))), t("approvals.none"));
      this.#show(this.earlier, earlier.map((one) => this.#earlierItem(one)), t("approvals.noneEarlier"));
    } catch (problem) {
      if (turn === this.#asked) replace(this.waiting, loadAlert(problem, () => this.#readLists()));
    }
  }

  /** Shows a list; what is typed and focused in an item that stays is kept. */
  #show(place, items, none) {
    const former = new Map([...place.querySelectorAll(":scope > ul > li")].map((one) => [one.dataset.key, one]));
    const kept = items.map((item) => {
      const known = former.get(item.dataset.key);
      return known && (known.contains(document.activeElement) || known.querySelector("input")?.value) ? known : item;
    });
    replace(place, items.length ? h("ul", { class: "approval-list" }, kept) : h("p", { class: "fd-help" }, none));
  }

  #facts(approval, title) {
    const subject = subjectOf(approval);
    return [h("p", null, h("strong", null, title), subject && approval.state === "waiting" ? [" ", this.#link({ href: subject, text: t("approvals.look"), isFile: false })] : null),
      approval.reason ? h("blockquote", null, h("bdi", null, approval.reason)) : null,
      detailList(approval, this.#names)];
  }

  #waitingItem(approval, isOwn) {
    const title = t("approvals.asks", { author: authorOf(approval), what: whatOf(approval, this.#names) });
    const until = formatFarMoment(new Date(approval.expiresAt));
    return h("li", { dataset: { key: `${approval.id} ${approval.state}` } }, this.#facts(approval, title),
      approval.state === "approved" ? this.#todo(approval, until) : h("p", { class: "fd-help" }, t("approvals.until", { time: until })),
      this.#manages ? this.#actions(approval, isOwn) : null);
  }

  /** What the one who asked can do now. */
  #todo(approval, until) {
    const place = placeOf(approval);
    return h("p", null, t("approvals.doNow", { time: until }), " ", place ? this.#link(place) : null);
  }

  #link({ href, text, isFile }) {
    if (isFile) return h("a", { href, download: "" }, text);
    return h("a", {
      href,
      onClick: (event) => {
        event.preventDefault();
        this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: href }));
      },
    }, text);
  }

  #actions(approval, isOwn) {
    const alert = h("p", { class: "fd-error", role: "alert" });
    const decide = (decision, word, style, comment = null) => {
      const button = h("button", { type: "button", class: `fd-button ${style}` }, word);
      button.addEventListener("click", () => whileBusy(button, async () => {
        alert.textContent = "";
        try {
          await api.post(`${this.#path}/approvals/${approval.id}/decision`, { decision, ...(comment?.value ? { comment: comment.value } : {}) });
          button.blur();
          await this.#readLists();
          this.querySelector("h1").setAttribute("tabindex", "-1");
          this.querySelector("h1").focus({ preventScroll: true });
        } catch (problem) {
          alert.textContent = sentence(problem);
        }
      }));
      return button;
    };
    if (isOwn) {
      return [approval.state === "waiting" ? h("p", { class: "fd-help" }, t("approvals.own")) : null,
        h("div", { class: "form-actions" }, decide("withdraw", t("approvals.withdraw"), "")), alert];
    }
    if (approval.person === this.session.agent.id) {
      return [h("p", { class: "fd-help" }, t("approvals.ownKey")), h("div", { class: "form-actions" }, decide("withdraw", t("approvals.withdraw"), "")), alert];
    }
    const comment = h("input", { class: "fd-input", maxlength: 300, autocomplete: "off" });
    return [field(`comment-${approval.id}`, t("approvals.comment", { author: authorOf(approval) }), comment),
      h("div", { class: "form-actions" }, decide("approve", t("approvals.approve"), "is-primary", comment), decide("refuse", t("approvals.refuse"), "", comment)), alert];
  }

  #earlierItem(approval) {
    const title = t("approvals.waits", { author: authorOf(approval), what: whatOf(approval, this.#names) });
    const isByKey = approval.author.type === "key";
    const mayTakeBack = this.#manages && approval.state === "approved" && isOpen(approval) && approval.person !== this.session.agent.id;
    const alert = h("p", { class: "fd-error", role: "alert" });
    const back = h("button", { type: "button", class: "fd-button" }, t("approvals.takeBack"));
    back.addEventListener("click", () => whileBusy(back, async () => {
      try {
        await api.post(`${this.#path}/approvals/${approval.id}/decision`, { decision: "refuse" });
        await this.#readLists();
      } catch (problem) {
        alert.textContent = sentence(problem);
      }
    }));
    return h("li", { dataset: { key: `${approval.id} ${approval.state}` } }, this.#facts(approval, title),
      h("p", { class: "fd-help" }, stateWords(approval), approval.comment ? ` – “${approval.comment}”` : ""),
      isByKey && approval.state === "approved" && isOpen(approval)
        ? h("p", { class: "fd-help" }, t("approvals.doNowKey", { time: formatFarMoment(new Date(approval.expiresAt)) })) : null,
      h("time", { class: "fd-help", datetime: approval.madeAt }, formatRecord(new Date(approval.madeAt))),
      mayTakeBack ? h("div", { class: "form-actions" }, back) : null, alert);
  }
}

customElements.define("approvals-panel", ApprovalsPanel);

import { h, replace } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { reconcile } from "../lib/reconcile.js";
import { formatAgo } from "../lib/time.js";
import { inboxViews, isDue } from "./inbox-views.js";
import { chosenOf, filterOf, narrowings } from "./list-filter.js";

/** So many labels, and teams, are shown until all are asked for. */
const MOST_SHOWN = 8;
/** What can wait is loaded so long after the page. */
const FIRST_LOOK_MILLISECONDS = 1_500;

/** The views of the inbox with their numbers, colleagues, teams, labels and the businesses. Values down: `state`. Event up: `view-open`. */
class InboxNav extends HTMLElement {
  state = null;
  /** Whether the inbox is the page on screen. */
  isShown = true;
  #shown = "";
  /** Of what all are wanted, those of no open conversation too. */
  #whole = new Set();
  #end = null;
  /** Draws colleagues, once there is one. */
  #people = null;
  #loading = 0;
  #due = 0;

  connectedCallback() {
    this.#end = new AbortController();
    // Who is there comes in one frame for each colleague.
    this.state.availability.addEventListener("change", () => {
      this.#due ||= requestAnimationFrame(() => {
        this.#due = 0;
        this.update();
      });
    }, { signal: this.#end.signal });
    this.box = h("nav", { class: "inbox-nav", onClick: (event) => this.#press(event) });
    replace(this, this.box);
    this.update();
  }

  disconnectedCallback() {
    this.#end.abort();
    clearTimeout(this.#loading);
  }

  update() {
    if (!this.box) return;
    const { filter, counts, session } = this.state;
    const chosen = chosenOf(filter);
    const saved = this.state.views.all;
    const view = narrowings(filter).length || filter.saved ? "" : filter.view;
    const shown = filter.view + chosen?.id + filter.assignee + filter.saved + saved.some((one) => one.id === filter.saved);
    const isOther = this.#shown !== shown;
    this.#shown = shown;
    const views = inboxViews.filter((view) => !view.isRare || counts[view.id] || filter.view === view.id);
    reconcile(this.box, h("nav", { class: "inbox-nav", "aria-label": t("console.views") },
      h("ul", null, views.map((one) => this.#view(one, counts, this.isShown && view === one.id))),
      saved.length ? [h("h2", null, t("console.section.views")), h("ul", null, saved.map((one) => this.#saved(one, filter.saved)))] : null,
      ["teams", "labels"].map((name) => this.#part(name, chosen?.name === name ? chosen.id : null)),
      session.businesses.length > 1 ? [
        h("h2", null, t("console.businesses")),
        h("ul", null, [{ id: "", name: t("console.everyBusiness") }, ...session.businesses]
          .map((one) => this.#business(one, this.isShown && filter.business === one.id))),
      ] : null, this.#colleagues()));
    // On a phone the views are a strip that scrolls.
    if (isOther) this.box.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  #view(view, counts, isOpen) {
    const waiting = view.id === "waiting" ? counts.waiting : null;
    const number = waiting ? waiting.count : view.id === "closed" ? 0 : counts[view.id];
    const isLate = Boolean(waiting?.count) && isDue(waiting.since);
    return h("li", null, h("button", {
      type: "button", class: "nav-view", dataset: { view: view.id }, "aria-current": isOpen ? "page" : null,
    }, icon(view.icon, 18), h("span", { class: "nav-words" }, t(`console.view.${view.id}`)),
    h("span", { class: isLate ? "nav-number is-due" : "nav-number" }, number ? ` ${view.id === "due" && counts.dueIsMore ? moreThan(number) : number}` : ""),
    waiting?.count ? h("span", { class: "fd-hidden-text" }, ` ${t("console.longest", { time: formatAgo(new Date(waiting.since)) })}`) : null));
  }

  /** A saved view with its number, which ends at the server's most. */
  #saved({ id, name, count, isMore, missing }, openID) {
    const number = isMore ? moreThan(count) : new Intl.NumberFormat(language()).format(count);
    return h("li", null, h("button", {
      type: "button", class: "nav-view", dataset: { saved: id }, title: name, "aria-current": this.isShown && id === openID ? "page" : null,
    }, icon(missing.length ? "alert" : "filter", 18), h("span", { class: "nav-words" }, name),
    missing.length ? h("span", { class: "fd-hidden-text" }, ` ${t("console.saved.missing")}`) : null,
    h("span", { class: "nav-number" }, count || isMore ? ` ${number}` : "")));
  }

  /**
   * The labels or teams of the business that is shown, or of all: those that open conversations have, and the chosen one.
   * @param {"labels"|"teams"} name
   */
  #part(name, chosen) {
    const { lists, session, filter } = this.state;
    const counts = this.state.countsOf(name);
    const isWhole = this.#whole.has(name);
    const businesses = filter.business ? [filter.business] : session.businesses.map((one) => one.id);
    const known = counts.size || chosen || isWhole ? businesses.flatMap((id) => lists[name](id)).filter((one) => !one.retired || counts.has(one.id)) : [];
    const used = known.filter((one) => counts.has(one.id) || one.id === chosen);
    const shown = isWhole ? known : used.filter((one, index) => index < MOST_SHOWN || one.id === chosen);
    if (!shown.length) return null;
    return [h("h2", null, t(`console.section.${name}`)),
      h("ul", null, shown.map((one) => h("li", null, h("button", {
        type: "button", class: "nav-view", dataset: { of: name, id: one.id }, "aria-current": this.isShown && one.id === chosen ? "page" : null,
      }, h("i", { class: name === "teams" ? "label-dot is-team" : "label-dot", style: { "--label": one.colour } }), h("span", { class: "nav-words" }, one.name),
      h("span", { class: "nav-number" }, counts.has(one.id) ? ` ${counts.get(one.id)}` : "")))),
      known.length > used.length || used.length > MOST_SHOWN ? this.#more(name, isWhole) : null)];
  }

  /** Colleagues stand last: they come and go, and move nothing. What draws them is loaded after the first look. */
  #colleagues() {
    const { state } = this;
    if (this.#people) return this.#people(state, { isShown: this.isShown, isWhole: this.#whole.has("colleagues"), most: MOST_SHOWN, more: this.#more });
    if (state.filter.assignee || state.countsOf("assignees").size || state.session.businesses.some(({ id }) => state.availability.thereIn(id).length)) {
      this.#loading ||= setTimeout(async () => {
        this.#people = (await import("./nav-colleagues.js").catch(() => null))?.colleagueList;  // Safe: the filter offers them too.
        this.update();
      }, FIRST_LOOK_MILLISECONDS);
    }
    return null;
  }

  #more(name, isWhole) {
    return h("li", null, h("button", {
      type: "button", class: "nav-view nav-more", dataset: { whole: name }, "aria-expanded": String(isWhole),
    }, t(isWhole ? "console.nav.fewer" : `console.${name}.all`)));
  }

  #business({ id, name, colour, mode }, isOpen) {
    return h("li", null, h("button", {
      type: "button", class: "nav-view", dataset: { business: id }, "aria-current": isOpen ? "true" : null,
    }, h("i", { class: "business-dot", style: { background: colour ?? null } }),
    h("span", { class: "nav-words" }, name),
    mode === "test" ? h("span", { class: "mode-mark" }, t("console.test")) : null));
  }

  #press(event) {
    const { view, business, of: name, id, whole, saved } = event.target.closest("button")?.dataset ?? {};
    if (whole) {
      if (!this.#whole.delete(whole)) this.#whole.add(whole);
      this.update();
    }
    const kept = saved && this.state.views.named(saved);
    const detail = kept ? filterOf(kept) : view !== undefined ? { view } : name === "labels" ? { view: "all", labels: [id] }
      : name === "teams" ? { view: "all", team: id } : name === "assignees" ? { view: "all", assignee: id }
      : business !== undefined ? { business } : null;
    if (detail) this.dispatchEvent(new CustomEvent("view-open", { bubbles: true, detail }));
  }
}

/** A count that ends at the server's most, such as 1,000+. */
function moreThan(count) {
  return `${new Intl.NumberFormat(language()).format(count)}+`;
}

customElements.define("inbox-nav", InboxNav);

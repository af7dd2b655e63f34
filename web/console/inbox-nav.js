import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { reconcile } from "../lib/reconcile.js";
import { formatAgo } from "../lib/time.js";
import { inboxViews, isDue } from "./inbox-views.js";

/** The views of the inbox with their numbers, and the businesses. Values down: `state`. Event up: `view-open`. */
class InboxNav extends HTMLElement {
  state = null;
  /** Whether the inbox is the page on screen. */
  isShown = true;
  #shown = "";

  connectedCallback() {
    this.box = h("nav", { class: "inbox-nav", onClick: (event) => this.#press(event) });
    replace(this, this.box);
    this.update();
  }

  update() {
    if (!this.box) return;
    const { filter, counts, session } = this.state;
    const isOther = this.#shown !== filter.view;
    this.#shown = filter.view;
    const views = inboxViews.filter((view) => !view.isRare || counts[view.id] || filter.view === view.id);
    reconcile(this.box, h("nav", { class: "inbox-nav", "aria-label": t("console.views") },
      h("ul", null, views.map((view) => this.#view(view, counts, this.isShown && filter.view === view.id))),
      session.businesses.length > 1 ? [
        h("h2", null, t("console.businesses")),
        h("ul", null, [{ id: "", name: t("console.everyBusiness") }, ...session.businesses]
          .map((one) => this.#business(one, this.isShown && filter.business === one.id))),
      ] : null));
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
    h("span", { class: isLate ? "nav-number is-due" : "nav-number" }, number ? ` ${number}` : ""),
    waiting?.count ? h("span", { class: "fd-hidden-text" }, ` ${t("console.longest", { time: formatAgo(new Date(waiting.since)) })}`) : null));
  }

  #business({ id, name, colour, mode }, isOpen) {
    return h("li", null, h("button", {
      type: "button", class: "nav-view", dataset: { business: id }, "aria-current": isOpen ? "true" : null,
    }, h("i", { class: "business-dot", style: { background: colour ?? null } }),
    h("span", { class: "nav-words" }, name),
    mode === "test" ? h("span", { class: "mode-mark" }, t("console.test")) : null));
  }

  #press(event) {
    const { view, business } = event.target.closest("button")?.dataset ?? {};
    const detail = view !== undefined ? { view } : business !== undefined ? { business } : null;
    if (detail) this.dispatchEvent(new CustomEvent("view-open", { bubbles: true, detail }));
  }
}

customElements.define("inbox-nav", InboxNav);

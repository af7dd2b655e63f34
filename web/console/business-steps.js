import { ApiProblem, api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isLoopback } from "../lib/loopback.js";
import { SteadyList } from "../lib/steady-list.js";
import { followSteps, stepRow, stepsCard } from "./first-parts.js";
import { keepBusiness } from "./kept-business.js";

/** The name that the server gives to the business of a first start. */
const UNNAMED = "My business";
/** From so many conversations on a business is at work and needs no first steps. */
const MOST_CONVERSATIONS = 5;

/** The steps in their order, each with the page of the console where it is done. */
const STEPS = Object.freeze([
  ["name", "/console/settings/businesses"], ["hours", "/console/settings/hours"], ["answers", "/console/settings/hours#automatic-answers"],
  ["people", "/console/settings/members"],
]);

/**
 * The first steps of a business that customers are to write to: its address and code, a message as a customer, and the settings
 * that it begins with. Each is done when the server says so; with the last one the card is gone.
 *
 * Values down: `state`, `business`. Event up: `go`.
 */
class BusinessSteps extends HTMLElement {
  state = null;
  business = null;
  #link = null;
  #done = null;
  #round = 0;
  #end = new AbortController();
  #steady = new SteadyList(this);

  connectedCallback() {
    const { signal } = this.#end;
    const readSoon = followSteps(this, { read: () => this.#read(), draw: () => this.#draw(), signal });
    // The settings are another page of the console: what was done there is seen when this one is shown again.
    let isAgain = false;
    const shown = new IntersectionObserver((seen) => {
      if (isAgain && seen.some(({ isIntersecting }) => isIntersecting)) readSoon();
      isAgain = true;
    });
    shown.observe(/** @type {Element} */ (this.closest("conversation-view") ?? this));
    signal.addEventListener("abort", () => shown.disconnect());
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  async #read() {
    const round = this.#round += 1;
    const path = `/api/businesses/${this.business.id}`;
    try {
      const { data: conversations } = await api.get("/api/conversations",
        { query: { business: this.business.id, "filter[state]": "any", "page[size]": MOST_CONVERSATIONS + 1 } });
      if (round !== this.#round) return;
      // Nothing more is asked of a business at work.
      if (conversations.length > MOST_CONVERSATIONS) return this.#finish();
      const [business, links, hours, answers, members, invitations] = await Promise.all([
        api.get(path), ...["links", "hours", "automatic-answers", "members", "invitations"].map((one) => api.get(`${path}/${one}`)),
      ]);
      if (round !== this.#round) return;
      this.business = { ...this.business, name: business.name };
      this.#link = links.data.find(({ id }) => id === "default") ?? links.data[0];
      this.#done = {
        name: business.name !== UNNAMED, write: conversations.length > 0, hours: Boolean(hours.hours),
        answers: ["greeting", "outOfHours", "unanswered"].some((kind) => answers[kind]), people: members.data.length + invitations.data.length > 1,
      };
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      return;  // Safe: the steps are an offer; the next message or visit repeats it.
    }
    if (this.isConnected) this.#draw();
  }

  #finish() {
    this.#done = null;
    this.#draw();
  }

  #draw() {
    this.#steady.draw(() => this.#parts());
  }

  #parts() {
    const [done, link] = [this.#done, this.#link];
    if (!done || !link || done.write && STEPS.every(([id]) => done[id])) return [];
    const next = STEPS.find(([id]) => !done[id])?.[0];
    const step = (id, action) => stepRow(t(`console.first.shop.${id}`), t(`console.first.shop.${id}Lead`), done[id], action);
    const rows = STEPS.map(([id, path]) => step(id, h("button", {
      type: "button", class: `fd-button${id === next ? " is-primary" : ""}`, onClick: () => this.#go(path),
    }, t(`console.first.shop.${id}Do`))));
    return [stepsCard(this, t("console.first.shop.title", { name: this.business.name }),
      h("div", { class: "first-parts" },
        // An owner who has named it wants to see it work: the message is the second step, and the code beside the steps is the way to it.
        h("ol", { class: "steps" }, rows[0], step("write", null), rows.slice(1)),
        h("div", { class: "first-code first-entry" },
          h("img", { src: link.qrSvg, width: 168, height: 168, alt: t("console.qrOf", { url: link.url }) }),
          h("a", { class: "fd-button", href: link.url, target: "_blank", rel: "noopener" }, t("console.tryIt")),
          isLoopback(link.url) ? h("p", null, t("console.linkLoopback")) : null,
          h("a", { href: "/console/settings/businesses#entry-links", onClick: (event) => {
            event.preventDefault();
            this.#go("/console/settings/businesses#entry-links");
          } }, t("console.first.shop.links")))),
      h("p", { class: "first-more" }, h("a", { href: "/docs/first-day", target: "_blank", rel: "noopener" }, t("console.first.shop.docs"))))];
  }

  /** A page of settings, of this business. @param {string} path */
  #go(path) {
    keepBusiness(this.business);
    this.dispatchEvent(new CustomEvent("go", { detail: path, bubbles: true }));
  }
}

customElements.define("business-steps", BusinessSteps);

import { adopt, h, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { exchange } from "../lib/api.js";
import { icon } from "../composer/icons.js";
import { copyText } from "../lib/clipboard.js";
import { SteadyList } from "../lib/steady-list.js";
import { clockSkew, countdown, lifeOf } from "./code-clock.js";

await registerStrings({ en: () => import("../i18n/en/join-code.js"), ja: () => import("../i18n/ja/join-code.js") });

/** After a failed renewal, the next attempt comes this much later. */
const retryMilliseconds = 5000;

/**
 * Whether a server is an ephemeral gateway, which has no console that someone could sign in to.
 * @param {{reachable: string, opensBy?: string|null}} sandbox
 */
export const isAlone = ({ reachable, opensBy }) => reachable === "loopback" && opensBy === null;

/**
 * Why a phone does not reach a server, and how it is started so that one does; null where it does.
 * @param {{reachable: string, opensBy?: string|null}} sandbox
 */
export function reachHint({ reachable, opensBy }) {
  if (reachable !== "loopback") return null;
  if (opensBy === "make") return t("sandbox.loopback");
  return t(isAlone({ reachable, opensBy }) ? "sandbox.loopback.nothing" : "sandbox.loopback.flags");
}

/**
 * The QR code and the short code a customer joins with; a new one replaces it before it ends.
 *
 * Values down: `hint` (why a phone may not reach it), `owned` (codes this page has shown).
 */
export class JoinCode extends HTMLElement {
  #code = null;
  #expires = 0;
  /** Whether the code ends by the clock of the server's answers. */
  #isCounted = true;
  #renewal = 0;
  #skew = 0;
  #tick = 0;
  #isRenewing = false;
  #left = h("span", { class: "jc-left" });
  #meter = h("span", { class: "jc-meter", "aria-hidden": "true" });
  #life = 1;
  #hint = null;
  owned = new Set();
  /** A code is renewed at any time: not while it is pressed, and the focus stays. */
  #steady = new SteadyList(this);

  connectedCallback() {
    adopt(styles);
    if (!this.#code) this.#renew();
    else this.#draw();
    this.#tick = setInterval(() => this.#pass(), 1000);
    document.addEventListener("visibilitychange", this.#pass);
  }

  disconnectedCallback() {
    clearInterval(this.#tick);
    document.removeEventListener("visibilitychange", this.#pass);
  }

  set hint(hint) {
    this.#hint = hint;
    if (this.#code) this.#draw();
  }

  /** The newest code's id. */
  get codeID() {
    return this.#code?.id ?? null;
  }

  /** Draws again, as after a change of language. */
  refresh() {
    this.#draw();
  }

  #pass = () => {
    const now = Date.now() + this.#skew;
    if (now >= this.#renewal) this.#renew();
    if (!this.#code || !this.#isCounted) return;
    this.#left.replaceChildren(t("sandbox.code.left", { time: countdown(this.#expires, now) }));
    this.#meter.style.setProperty("--left", String(Math.max(0, (this.#expires - now) / this.#life)));
  };

  async #renew() {
    if (this.#isRenewing || document.visibilityState === "hidden") return;
    this.#isRenewing = true;
    try {
      const { data, headers } = await exchange("POST", "/api/sandbox/codes", { body: {} });
      this.#skew = clockSkew(headers.get("Date"), Date.now());
      const now = Date.now() + this.#skew;
      this.#code = data;
      this.#expires = Date.parse(data.expires);
      this.#life = Math.max(1, this.#expires - now);
      ({ isCounted: this.#isCounted, renewal: this.#renewal } = lifeOf(now, this.#expires));
      this.owned.add(data.id);
      this.#draw();
    } catch (problem) {
      this.#renewal = Date.now() + this.#skew + (problem.retryAfterSeconds ? problem.retryAfterSeconds * 1000 : retryMilliseconds);
      if (!this.#code) this.#drawFailure(problem);
    } finally {
      this.#isRenewing = false;
    }
  }

  #drawFailure(problem) {
    this.replaceChildren(h("p", { class: "jc-failed", role: "status" }, icon("error"), t("sandbox.code.failed", { detail: problem.message })));
  }

  #draw() {
    this.classList.toggle("is-local", Boolean(this.#hint));
    this.#steady.draw(() => this.#parts());
    this.#pass();
  }

  #parts() {
    const { url, typed, qrSvg } = this.#code;
    const copy = h("button", { type: "button", class: "jc-typed", title: t("sandbox.code.copy"), onclick: async () => {
      const worked = await copyText(url);
      said.replaceChildren(t(worked ? "composer.json.copied" : "composer.json.copyFailed"));
      setTimeout(() => said.replaceChildren(), 1600);
    } }, h("span", { class: "fd-hidden-text" }, `${t("sandbox.code.copy")}: `), h("span", { class: "jc-letters" }, typed), icon("copy"));
    const said = h("span", { class: "jc-said", role: "status" });
    // A phone's camera is of no use where only this computer reaches the address.
    const isLocal = Boolean(this.#hint);
    const open = h("a", { class: `fd-button jc-open${isLocal ? " is-primary" : ""}`, href: url, target: "frontdesk-phone", rel: "noopener" },
      icon("phone"), t("sandbox.code.openPhone"));
    open.addEventListener("click", (event) => {
      // A window of a phone's size where the browser allows one; the plain link otherwise.
      const phone = window.open("about:blank", "frontdesk-phone", "width=390,height=844");
      if (!phone) return;
      event.preventDefault();
      phone.location.href = url;
    });
    return [
      isLocal ? open : null,
      h("div", { class: "jc-tile" }, h("img", { src: qrSvg, alt: t("sandbox.code.alt", { url }), width: "240", height: "240" })),
      h("div", { class: "jc-words" },
        h("p", { class: "jc-or" }, t("sandbox.code.typed", { place: `${new URL(url).host}/j` })),
        copy, said,
        this.#isCounted ? h("p", { class: "jc-life" }, this.#meter, this.#left) : null,
        isLocal ? null : open,
        this.#hint ? h("p", { class: "jc-hint" }, icon("warning"), h("span", null, this.#hint)) : null),
    ];
  }
}
const styles = sheet(`
join-code { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--fd-space-4); justify-items: center; text-align: center; }
.jc-tile { padding: 14px; border-radius: var(--fd-radius-md); background: #fff; line-height: 0; border: 1px solid var(--fd-line); }
.jc-tile img { display: block; width: min(240px, 60vw); height: auto; aspect-ratio: 1; }
.is-local .jc-tile img { width: min(144px, 60vw); }
join-code .cp-icon { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.jc-words { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; justify-items: center; width: 100%; }
.jc-or { font-size: var(--fd-text-sm); color: var(--fd-ink-2); overflow-wrap: anywhere; }
.jc-typed { display: inline-flex; align-items: center; gap: 10px; padding: 6px 14px; min-height: 44px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-sm); background: var(--fd-bg-sunken); }
.jc-typed:hover { background: var(--fd-bg-hover); }
.jc-letters { font: 600 var(--fd-text-lg) / 1 var(--fd-font-mono); letter-spacing: 0.06em; }
.jc-typed .cp-icon { width: 16px; height: 16px; color: var(--fd-ink-3); }
.jc-said { font-size: var(--fd-text-xs); color: var(--fd-ok); min-height: 1em; }
.jc-said:empty { display: none; }
.jc-life { display: inline-flex; align-items: center; gap: 8px; font-size: var(--fd-text-xs); color: var(--fd-ink-3); font-variant-numeric: tabular-nums; margin: 2px 0 8px; }
.jc-meter { width: 48px; height: 4px; border-radius: 2px; background: linear-gradient(to right, var(--fd-accent) calc(var(--left, 1) * 100%), var(--fd-bg-pressed) 0); }
.jc-open { width: 100%; min-height: 44px; }
.jc-hint { display: flex; gap: 8px; text-align: start; margin-top: var(--fd-space-2); padding: 10px 12px; border-radius: var(--fd-radius-sm); background: var(--fd-warn-soft);
  font-size: var(--fd-text-xs); color: var(--fd-ink-2); }
.jc-hint .cp-icon { color: var(--fd-warn); }
.jc-failed { display: flex; gap: 8px; color: var(--fd-danger); font-size: var(--fd-text-sm); }
`);

customElements.define("join-code", JoinCode);

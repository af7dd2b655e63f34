import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatMoment } from "../lib/time.js";
import { sentence } from "./panel-parts.js";
import { linkStyles } from "./link-styles.js";
import { whatsappReason } from "../thread/whatsapp-reasons.js";

adopt(linkStyles);

/** The interval of reading the deliveries in view. */
const refreshMilliseconds = 3000;
/** Rows of each list; the counts include the rest. */
const most = 20;

/** The deliveries to a link's other side: counts, what is pending or dead and why, and retrying. */
class GatewayDeliveries extends HTMLElement {
  path = "";
  side = "provider";
  mayManage = false;
  #timer = 0;
  #shown = "";
  #news = h("p", { class: "fd-help", role: "status" });
  #body = h("div", { class: "link-part" });
  #steady = new SteadyList(this.#body);

  connectedCallback() {
    replace(this, h("h3", null, t("gateway.deliveries")), this.#body, this.#news);
    this.#refresh();
    this.#timer = setInterval(() => this.#refresh(), refreshMilliseconds);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #refresh() {
    if (document.visibilityState === "hidden") return;
    const list = async (state) => (await api.get(`${this.path}/deliveries`,
      { query: { side: this.side, "filter[state]": state, "page[size]": most } })).data;
    try {
      const [links, pending, dead] = await Promise.all([api.get(this.path), list("pending"), list("dead")]);
      const link = { provider: links.registration, upstream: links.upstream, whatsapp: links.whatsapp }[this.side];
      if (!link || !this.isConnected) return;
      const shown = JSON.stringify([link.deliveries, pending, dead]);
      if (shown === this.#shown) return;
      this.#shown = shown;
      this.#draw(link.deliveries, pending, dead);
    } catch {
      // Safe: the next reading repeats it; the earlier state stays in view.
    }
  }

  #draw(counts, pending, dead) {
    this.#steady.draw(() => [
      h("p", { class: "counts" },
        count("ok", "gateway.delivered", counts.delivered), count("pending", "gateway.pending", counts.pending),
        count("dead", "gateway.dead", counts.dead)),
      ...pending.length ? [this.#list("pending", t("gateway.waitingList"), pending)] : [],
      ...pending.some((one) => one.attempts) && this.mayManage
        ? [this.#button(t("gateway.retryNow"), () => this.#retryNow())] : [],
      ...dead.length ? [this.#list("dead", t("gateway.deadList"), dead)] : [],
      ...dead.length && this.mayManage
        ? [this.#button(t("gateway.replayAll"), () => this.#replay({}))] : [],
    ]);
  }

  #button(text, onClick) {
    return h("div", { class: "form-actions" },
      h("button", { type: "button", class: "fd-button", onClick }, text));
  }

  #list(state, title, deliveries) {
    return h("section", { class: "deliveries", "aria-label": title, dataset: { state } },
      h("h4", null, title),
      h("ul", null, deliveries.map((one) => h("li", { dataset: { position: one.position } },
        h("p", { class: "delivery-head" },
          h("span", null, `#${one.position} ${one.event ?? ""}`),
          h("span", { class: "fd-help" }, [t("gateway.attempts", { count: one.attempts }),
            state === "pending" ? due(one) : ""].filter(Boolean).join(" · "))),
        this.#reason(one.last?.detail),
        state === "dead" ? this.#replayButton(one) : null))));
  }

  #reason(detail) {
    const { words, isEnglish } = this.side === "whatsapp" && detail ? whatsappReason(detail) : { words: detail, isEnglish: false };
    return h("p", { class: "reason", lang: isEnglish ? "en" : null }, words ?? t("gateway.notYet"));
  }

  #replayButton({ position }) {
    return this.mayManage ? h("button", {
      type: "button", class: "fd-button", "aria-label": t("gateway.replayOne", { position }),
      onClick: () => this.#replay({ from: position, to: position }),
    }, t("gateway.replay")) : null;
  }

  async #retryNow() {
    try {
      await api.post(`${this.path}/deliveries/retry-now`, { side: this.side });
      this.#news.textContent = t("gateway.retriedNow");
    } catch (problem) {
      this.#news.textContent = sentence(problem);
    }
    this.#refresh();
  }

  async #replay(range) {
    try {
      const { retried } = await api.post(`${this.path}/deliveries/retry`, { ...range, side: this.side });
      this.#news.textContent = t("gateway.replayed", { count: retried });
    } catch (problem) {
      this.#news.textContent = sentence(problem);
    }
    this.#refresh();
  }
}

/** A number on its colour; without one where there is nothing to be glad of or alarmed by. */
function count(state, key, number) {
  return h("span", { class: number ? `count is-${state}` : "count" }, t(key, { count: number }));
}

function due({ due: moment, attempts }) {
  const date = new Date(moment);
  return t("gateway.nextTry", { time: attempts && date > new Date() ? formatMoment(date) : t("gateway.now") });
}

customElements.define("gateway-deliveries", GatewayDeliveries);

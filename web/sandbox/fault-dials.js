import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";

/** Each fault with what its value may be, as the API accepts it; no bounds: it has no value. */
const faults = {
  delay: [0, 60_000, 1000], status: [400, 599, 500], throttle: [0, 3600, 1],
  cut: null, expiredLink: null, duplicate: null, duplicateWithOtherID: null, reorder: null,
};

/**
 * How the gateway misbehaves on purpose towards the sandbox's provider; nothing without a provider.
 *
 * Values down: `business`, its id.
 */
export class FaultDials extends HTMLElement {
  business = null;
  #registration = null;
  #steady = new SteadyList(this);
  #news = h("p", { class: "fd-help", role: "status" });

  connectedCallback() {
    this.#load();
  }

  get #path() {
    return `/api/businesses/${encodeURIComponent(this.business)}/gateway`;
  }

  /** Looks again whether there is a provider. */
  read() {
    this.#load();
  }

  async #load() {
    try {
      this.#registration = (await api.get(this.#path)).registration;
    } catch {
      return;  // Safe: the next opening repeats it; the wire log below shows the error.
    }
    this.#draw();
  }

  #draw() {
    this.#steady.draw(() => this.#parts());
  }

  #parts() {
    if (!this.#registration) return [];
    const set = this.#registration.settings.faults ?? {};
    const seed = h("input", { class: "fd-input", type: "number", required: true,
      min: -2_147_483_648, max: 2_147_483_647, step: 1, value: set.seed ?? 1 });
    const rows = Object.entries(faults).map(([name, bounds]) => ({
      name, ...shareOf(name, Math.round((set[name]?.probability ?? 0) * 1e6) / 1e4),
      value: bounds ? h("input", { class: "fd-input", type: "number", required: true, step: 1, min: bounds[0], max: bounds[1],
        value: set[name]?.value ?? bounds[2],
        "aria-label": t("sandbox.fault.value", { fault: t(`sandbox.fault.${name}`) }) }) : null,
    }));
    const count = Object.keys(faults).filter((name) => set[name]).length;
    const form = h("form", { class: "fault-form" },
      h("ul", null, rows.map(({ name, dial, share, value }) => h("li", null,
        h("span", { class: "fault-name" }, t(`sandbox.fault.${name}`)), dial,
        h("span", { class: "fault-field" }, share, "%"),
        value ? h("span", { class: "fault-field" }, value, t(`sandbox.fault.unit.${name}`)) : null))),
      h("label", { class: "fault-seed" }, h("span", null, t("sandbox.fault.seed")), seed),
      h("p", { class: "fault-actions" },
        h("button", { class: "fd-button is-primary", type: "submit" }, t("sandbox.fault.apply")),
        h("button", { class: "fd-button", type: "button", onClick: () => this.#turnOff(form, Number(seed.value)) },
          t("sandbox.fault.off"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const dials = rows.filter(({ share }) => Number(share.value) > 0).map(({ name, share, value }) => [name, {
        probability: Number(share.value) / 100, ...value ? { value: Number(value.value) } : {},
      }]);
      this.#save({ seed: Number(seed.value), ...Object.fromEntries(dials) });
    });
    const isOpen = this.querySelector("details")?.open ?? false;
    return [h("details", { open: isOpen },
      h("summary", null, t("sandbox.fault.title"), " · ",
        count ? t("sandbox.fault.count", { count }) : t("sandbox.fault.none")),
      h("p", { class: "fd-help" }, t("sandbox.fault.lead")), form, this.#news)];
  }

  /** What was typed and not applied goes with the faults. */
  #turnOff(form, seed) {
    form.reset();
    this.#save({ seed });
  }

  async #save(dials) {
    const { endpoint, settings } = this.#registration;
    try {
      const answer = await api.put(`${this.#path}/registration`, { endpoint, settings: { ...settings, faults: dials } });
      this.#registration = answer.registration;
      this.#draw();
      this.#news.textContent = t("sandbox.fault.saved");
    } catch (problem) {
      this.#news.textContent = problem.detail || t("shared.problem.unknown");
    }
  }
}

/** How often a fault happens, in percent: a dial for the hand, and a field for keys and for what is exact. */
function shareOf(name, percent) {
  const share = h("input", { class: "fd-input", type: "number", required: true, min: 0, max: 100, step: "any", value: percent,
    "aria-label": t("sandbox.fault.share", { fault: t(`sandbox.fault.${name}`) }), onInput: () => { dial.value = share.value; } });
  const dial = h("input", { class: "fault-dial", type: "range", min: 0, max: 100, step: 1, value: percent, tabindex: "-1", "aria-hidden": "true",
    onInput: () => { share.value = dial.value; } });
  return { share, dial };
}

customElements.define("fault-dials", FaultDials);

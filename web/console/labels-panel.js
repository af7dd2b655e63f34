import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { ItemPanel } from "./item-panel.js";
import { sentence } from "./panel-parts.js";

/** The distance of two labels' places. */
const STEP = 10;

/** The labels of a business, in an order that its owners give. Values down: `session`. */
class LabelsPanel extends ItemPanel {
  kind = "labels";

  controls(label, index, all) {
    const move = (step, drawing, words, isOff) => h("button", {
      type: "button", class: "fd-button is-plain is-icon", "aria-label": t(words, label), title: t(words, label), disabled: isOff,
      onClick: () => this.#move(all, index, step),
    }, icon(drawing, 16));
    return [move(-1, "up", "labels.up", index === 0), move(1, "down", "labels.down", index === all.length - 1)];
  }

  more() {
    return { order: Math.max(0, ...this.items.map((one) => one.order)) + STEP };
  }

  /** Moves a label by one place. Places are given anew, for several may have the same. */
  async #move(all, index, step) {
    const order = [...all];
    [order[index], order[index + step]] = [order[index + step], order[index]];
    const moved = order.map((one, place) => ({ one, place: (place + 1) * STEP })).filter(({ one, place }) => one.order !== place);
    this.alert.textContent = "";
    try {
      for (const { one, place } of moved) this.put(await api.patch(`${this.path}/${one.id}`, { order: place }), false);
    } catch (problem) {
      this.alert.textContent = sentence(problem);
    }
    this.draw();
    const [up, down] = this.querySelectorAll(`[data-item="${all[index].id}"] .is-icon`);
    const [same, other] = step < 0 ? [up, down] : [down, up];
    (same.disabled ? other : same).focus();
  }
}

customElements.define("labels-panel", LabelsPanel);

import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { showToast } from "../lib/toast.js";
import { moved, STEP } from "./item-order.js";
import { ItemPanel } from "./item-panel.js";
import { sentence } from "./panel-parts.js";

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

  async #move(all, index, step) {
    this.alert.textContent = "";
    const { business, path } = this;
    try {
      for (const { one, order } of moved(all, index, step)) {
        const saved = await api.patch(`${path}/${one.id}`, { order });
        if (business === this.business) this.put(saved, false);
      }
    } catch (problem) {
      if (business !== this.business) return showToast(`${all[index].name}: ${sentence(problem)}`);
      this.alert.textContent = sentence(problem);
    }
    if (business !== this.business) return;
    this.draw();
    const [up, down] = this.querySelectorAll(`[data-item="${all[index].id}"] .is-icon`);
    const [same, other] = step < 0 ? [up, down] : [down, up];
    (same.disabled ? other : same).focus();
  }
}

customElements.define("labels-panel", LabelsPanel);

import { api, exchange } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { drawKeepingFocus } from "../lib/focus-return.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { showToast } from "../lib/toast.js";
import "./entry-links.js";
import { loadAlert } from "./load-alert.js";
import { addStarters } from "./starter-templates.js";
import { keepBusiness, keptBusiness } from "./kept-business.js";
import { mayLeave } from "./unsaved-forms.js";
import { card, field, savingForm } from "./panel-parts.js";
import { may } from "./permissions.js";

adopt(sheet(`
.business-cards { display: flex; flex-wrap: wrap; gap: 10px; }
.business-card { display: flex; align-items: center; gap: 10px; min-height: 60px; padding: 10px 16px;
  border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md);
  background: var(--fd-bg-raised); font-weight: 600; box-shadow: var(--fd-shadow-1); }
.business-card[aria-pressed="true"] { border-color: var(--fd-accent); box-shadow: 0 0 0 1px var(--fd-accent); }
.business-card.is-new { border-style: dashed; color: var(--fd-ink-2); box-shadow: none; }
.plus { font-size: var(--fd-text-xl); font-weight: 400; }
.business-picture { display: grid; place-items: center; width: 36px; height: 36px; border-radius: 10px;
  color: #fff; object-fit: cover; font-weight: 600; text-shadow: 0 0 3px rgb(0 0 0 / 0.7); }
`));

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

/** Registers businesses and edits them: name, colour, picture, entry links. */
class BusinessesPanel extends HTMLElement {
  session = null;

  connectedCallback() {
    this.#load();
  }

  async #load(chosen = null) {
    let businesses;
    try {
      businesses = (await api.get("/api/businesses")).data;
    } catch (problem) {
      replace(this, loadAlert(problem, () => this.#load(chosen)));
      return;
    }
    const business = businesses.find((one) => one.id === chosen)
      ?? keptBusiness(businesses) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    drawKeepingFocus(this, () => replace(this, h("section", { class: "panel" },
      h("h1", null, t("console.businesses")),
      h("div", { class: "business-cards" },
        businesses.map((one) => h("button", {
          type: "button", class: "business-card", dataset: { business: one.id }, "aria-pressed": String(one === business),
          onClick: async () => {
            if (one !== business && !await mayLeave(this)) return;
            keepBusiness(one);
            this.#load(one.id);
          },
        }, picture(one), h("span", { class: "business-name" }, one.name),
        one.mode === "test" ? h("span", { class: "chip is-test" }, t("console.test")) : null)),
        businesses.some((one) => may(one, "businesses.register")) ? h("button", {
          type: "button", class: "business-card is-new", onClick: () => this.#create(),
        }, h("span", { "aria-hidden": "true", class: "plus" }, "+"), t("console.newBusiness")) : null),
      business ? [
        card(business.name,
          may(business, "business.manage") ? this.#form(business) : h("p", { class: "fd-help" }, t("console.onlyOwners.business"))),
        h("entry-links", { class: "settings-card", ".business": business }),
      ] : null)));
  }

  #create() {
    const name = h("input", { class: "fd-input", name: "name", required: true, maxlength: 100 });
    const colour = h("input", { type: "color", class: "colour", value: "#4353ff" });
    const mode = h("select", { class: "fd-input" },
      h("option", { value: "live" }, t("console.live")),
      h("option", { value: "test" }, t("console.test")));
    const form = savingForm({
      save: t("console.register"),
      onSave: async () => {
        const made = await api.post("/api/businesses", {
          name: name.value, colour: colour.value, mode: mode.value,
        });
        // Safe: where the templates do not arrive, their page offers them.
        await addStarters(api, made.id, language()).catch(() => {});
        dialog.close();
        keepBusiness(made);
        this.#emit();
        await this.#load(made.id);
        /** @type {HTMLElement|null} */ (this.querySelector(`[data-business="${made.id}"]`))?.focus();
      },
    },
    field("new-name", t("console.businessName"), name),
    field("new-colour", t("console.colour"), colour),
    field("new-mode", t("console.mode"), mode, t("console.modeHelp")));
    const dialog = h("dialog", { class: "dialog", "aria-label": t("console.newBusiness") },
      h("h2", null, t("console.newBusiness")), form);
    form.querySelector(".form-actions").prepend(h("button", {
      type: "button", class: "fd-button is-plain", onClick: () => dialog.close(),
    }, t("shared.cancel")));
    this.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.showModal();
    name.focus();
  }

  #form(business) {
    const name = h("input", { class: "fd-input", required: true, maxlength: 100, value: business.name });
    const colour = h("input", { type: "color", class: "colour", value: business.colour });
    const secured = h("input", {
      type: "checkbox", id: "business-second-factor", checked: Boolean(business.requiresSecondFactor), "aria-describedby": "business-second-factor-help",
    });
    const file = h("input", { type: "file", class: "fd-input", accept: "image/png,image/jpeg,image/webp" });
    return savingForm({
      save: t("shared.save"),
      onSave: async () => {
        await api.patch(`/api/businesses/${business.id}`, {
          name: name.value, colour: colour.value,
          ...secured.checked === Boolean(business.requiresSecondFactor) ? {} : { requiresSecondFactor: secured.checked },
        });
        if (file.files[0]) {
          await exchange("PUT", `/api/businesses/${business.id}/picture`, {
            raw: file.files[0], contentType: file.files[0].type,
          });
        }
        this.#emit();
        await this.#load(business.id);
        showToast(t("items.saved", { name: name.value.trim() }));
        this.querySelector("form [type=submit]")?.focus();
      },
    },
    field("business-name", t("console.businessName"), name),
    field("business-colour", t("console.colour"), colour),
    field("business-picture", t("console.picture"), file, t("console.pictureHelp")),
    h("div", { class: "fd-field" }, h("div", { class: "mark" }, secured, h("label", { for: secured.id }, t("console.requireFactor"))),
      h("p", { class: "fd-help", id: "business-second-factor-help" }, t("console.requireFactor.help"))));
  }

  #emit() {
    this.dispatchEvent(new CustomEvent("session-changed", { bubbles: true }));
  }
}

function picture(business) {
  return business.picture
    ? h("img", { class: "business-picture", src: business.picture, alt: "" })
    : h("span", { class: "business-picture", "aria-hidden": "true", style: { background: business.colour } },
      [...business.name][0]);
}

customElements.define("businesses-panel", BusinessesPanel);

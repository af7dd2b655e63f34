import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatMoment } from "../lib/time.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { field, savingForm } from "./panel-parts.js";

const SCOPES = ["read", "suggest", "send", "templates", "customers", "webhooks", "administration", "people", "wire_log"];
/** What is checked at first: what most programs need. */
const USUAL = ["read", "send"];
/** Days after which a key may expire, and seconds for which a replaced one goes on; what is chosen at first. */
const [DAYS, FIRST_DAYS] = [[30, 90, 365], 365];
const [OVERLAPS, FIRST_OVERLAP] = [[0, 3600, 86_400, 604_800], 86_400];

/**
 * The form of a new key.
 * @param {any[]} businesses for which it may be created
 * @param {(made: any) => void} done
 */
export function keyForm(businesses, done) {
  const name = h("input", { class: "fd-input", required: true, maxlength: 100 });
  const business = h("select", { class: "fd-input" }, businesses.map((one) => h("option", { value: one.id },
    one.mode === "test" ? `${one.name} (${t("console.test")})` : one.name)));
  const kept = keptBusiness(businesses);
  if (kept) business.value = kept.id;
  const boxes = SCOPES.map((scope) => h("input", { type: "checkbox", value: scope, checked: USUAL.includes(scope), required: false }));
  const addresses = h("input", { class: "fd-input", maxlength: 1000, autocomplete: "off", spellcheck: "false" });
  const expiry = expiryField();
  return savingForm({
    save: t("console.makeKey"),
    onSave: async () => {
      const scopes = boxes.filter((one) => one.checked).map((one) => one.value);
      if (!scopes.length) throw Object.assign(new Error(t("keys.noneChosen")), { detail: t("keys.noneChosen") });
      const ranges = addresses.value.split(/[\s,]+/).filter(Boolean);
      done(await api.post("/api/keys", {
        name: name.value, businesses: [business.value], scopes, ...endOf(expiry), ...(ranges.length ? { addresses: ranges } : {}),
      }));
    },
  },
  field("key-name", t("console.keyName"), name),
  field("key-business", t("console.business"), business),
  h("fieldset", { class: "marks" }, h("legend", null, t("keys.may")), h("p", { class: "fd-help" }, t("keys.mayHelp")),
    boxes.map((box) => h("label", { class: "mark" }, box, h("span", null, t(`keys.scope.${box.value}`))))),
  field("key-expires", t("keys.expires"), expiry),
  field("key-addresses", t("keys.addresses"), addresses, t("keys.addressesHelp")));
}

/**
 * The form by which a key gets a successor.
 * @param {any} key
 * @param {(made: any) => void} done
 */
export function replaceForm(key, done) {
  const overlap = h("select", { class: "fd-input" }, OVERLAPS.map((seconds) => h("option", { value: seconds, selected: seconds === FIRST_OVERLAP }, t(`keys.overlap.${seconds}`))));
  const expiry = expiryField();
  return savingForm({
    save: t("keys.replace"),
    onSave: async () => done(await api.post(`/api/keys/${key.id}/replacement`, { overlapSeconds: Number(overlap.value), ...endOf(expiry) })),
  },
  h("p", { class: "fd-help" }, t("keys.replaceLead")),
  field(`key-overlap-${key.id}`, t("keys.overlap"), overlap),
  field(`key-expires-${key.id}`, t("keys.expires"), expiry));
}

/** What a key was used for lately. @param {any} key */
export function requestTable(key) {
  const part = h("div", { "aria-busy": "true" });
  api.get(`/api/keys/${key.id}/requests`).then(({ data }) => {
    part.removeAttribute("aria-busy");
    const label = t("keys.requestsOf", { name: key.name });
    replace(part, data.length ? h("div", { class: "table-frame is-first", tabindex: "0", role: "region", "aria-label": label },
      h("table", { class: "table" },
        h("thead", null, h("tr", null, ["time", "operation", "answer", "took", "address"].map((name) => h("th", { scope: "col" }, t(`keys.request.${name}`))))),
        h("tbody", null, data.map((one) => h("tr", null,
          h("td", null, formatMoment(new Date(one.time))), h("td", null, h("code", null, one.operation)),
          h("td", { class: "key-answer", title: one.requestId }, one.code ? `${one.status} ${one.code}` : String(one.status)),
          h("td", null, `${one.milliseconds} ms`), h("td", null, one.address)))))) : h("p", { class: "fd-help" }, t("keys.noRequests")));
  }, (problem) => {
    part.removeAttribute("aria-busy");
    replace(part, loadAlert(problem, () => part.replaceWith(requestTable(key))));
  });
  return part;
}

/** A choice of how long a key lives. */
export function expiryField() {
  return h("select", { class: "fd-input" }, DAYS.map((days) => h("option", { value: days, selected: days === FIRST_DAYS }, t("keys.days", { count: days }))),
    h("option", { value: "" }, t("keys.never")));
}

/** The life that was chosen, as the body of a request has it: the same each time, as an approval needs it. @param {HTMLSelectElement} choice */
export function endOf(choice) {
  return choice.value ? { expiresInDays: Number(choice.value) } : {};
}

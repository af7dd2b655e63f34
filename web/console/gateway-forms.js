import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { field, savingForm } from "./panel-parts.js";

const input = (props = {}) => h("input", { class: "fd-input", autocomplete: "off", spellcheck: "false", ...props });

/** Members whose field was left empty are left out. @param {Record<string, any>} body */
const filled = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));

/**
 * Registers a provider, or changes what is registered.
 * @param {any} link null for a new one
 * @param {(body: any) => Promise<void>} save
 */
export function providerForm(link, save) {
  const endpoint = input({ type: "url", required: true, maxlength: 2048, value: link?.endpoint ?? "", placeholder: "https://bots.example.com/frontdesk" });
  const mspId = input({ maxlength: 128, value: link?.mspId ?? "" });
  const secret = input({ maxlength: 400, type: "password" });
  const own = [
    field("provider-msp", t("gateway.mspId"), mspId, link ? "" : t("gateway.mspIdHelp")),
    field("provider-secret", t("gateway.secret"), secret, t(link ? "gateway.secretKeep" : "gateway.secretHelp")),
  ];
  return savingForm({
    save: t(link ? "gateway.save" : "gateway.register"),
    onSave: () => save(filled({ endpoint: endpoint.value, mspId: mspId.value, secret: secret.value })),
  },
  field("provider-endpoint", t("gateway.endpoint"), endpoint, t("gateway.endpointHelp")),
  link ? own : h("details", { class: "more" }, h("summary", null, t("gateway.own")), h("div", { class: "stack" }, own)));
}

/**
 * Connects to an upstream gateway, or changes the connection.
 * @param {any} link null for a new one
 * @param {(body: any) => Promise<void>} save
 */
export function upstreamForm(link, save) {
  const baseUrl = input({ type: "url", required: true, maxlength: 2048, value: link?.baseUrl ?? "", placeholder: "https://gateway.example.com/v1" });
  const mspId = input({ required: true, maxlength: 128, value: link?.mspId ?? "" });
  const business = input({ maxlength: 36, value: link?.settings.upstreamBusiness ?? "" });
  const secret = input({ required: !link, maxlength: 400, type: "password" });
  return savingForm({
    save: t(link ? "gateway.save" : "gateway.connect"),
    onSave: () => save({
      ...filled({ baseUrl: baseUrl.value, mspId: mspId.value, secret: secret.value }),
      settings: { ...link?.settings, upstreamBusiness: business.value || null },
    }),
  },
  field("upstream-url", t("gateway.upstreamUrl"), baseUrl, t("gateway.upstreamUrlHelp")),
  field("upstream-msp", t("gateway.mspId"), mspId),
  field("upstream-business", t("gateway.businessThere"), business, t("gateway.businessThereHelp")),
  field("upstream-secret", t("gateway.secret"), secret, link ? t("gateway.secretKeep") : ""));
}

const numbers = { freshnessSeconds: [60, 86_400], referenceBytes: [0, 4_194_304] };
const switches = ["packsBodies", "announcesText", "tellsDeviceAgent"];

/**
 * How a link behaves; settings that have no field here stay as they are.
 * @param {string} side names the fields
 * @param {Record<string, any>} settings
 * @param {(settings: any) => Promise<void>} save
 */
export function behaviourForm(side, settings, save) {
  const counts = Object.entries(numbers).map(([name, [min, max]]) => [name,
    input({ type: "number", required: true, min, max, value: settings[name] })]);
  const marks = switches.map((name) => [name, h("input", { type: "checkbox", checked: settings[name] })]);
  return savingForm({
    save: t("gateway.save"),
    onSave: () => save({
      ...settings,
      ...Object.fromEntries(counts.map(([name, one]) => [name, Number(one.value)])),
      ...Object.fromEntries(marks.map(([name, one]) => [name, one.checked])),
    }),
  },
  counts.map(([name, one]) => field(`${side}-${name}`, t(`gateway.${name}`), one)),
  marks.map(([name, one]) => h("label", { class: "switch" }, one, h("span", null, t(`gateway.${name}`)))));
}

import { withoutTranslations } from "../composer/template-languages.js";
import { api } from "../lib/api.js";

/**
 * What rules and macros of a business may name.
 * @param {string} business
 * @returns {Promise<import("./part-controls.js").Known>}
 */
export async function readKnown(business) {
  const path = `/api/businesses/${business}`;
  const [members, teams, labels, templates] = await Promise.all([
    api.get(`${path}/members`), api.get(`${path}/teams`), api.get(`${path}/labels`), api.getAll("/api/templates", { query: { business } }),
  ]);
  return {
    members: members.data.filter((one) => !one.invited), teams: teams.data, labels: labels.data, templates: withoutTranslations(templates),
  };
}

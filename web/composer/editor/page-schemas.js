/** The schemas that this server serves, fetched once for all editors of the page. */
import { api } from "../../lib/api.js";
import { SchemaCache } from "./schema-cache.js";

/** The schema of messages from a business. */
export const outboundSchema = "/schemas/v1/outbound/message.json";

export const pageSchemas = new SchemaCache((path) => api.get(path));

/** What the message of a draft is known by, however often it is sent. */
import { makeUUID } from "../lib/uuid.js";

/** @typedef {{id: string, requestID: string}} MessageIDs */

/** @returns {MessageIDs} */
export const freshIDs = () => ({ id: makeUUID(), requestID: makeUUID() });

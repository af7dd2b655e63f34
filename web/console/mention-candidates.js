/** Whom a note can mention. */

/**
 * The members of the open conversation's business but the agent, and its teams that are in use and have members.
 * @param {any} state
 * @returns {Promise<import("../thread/mentions.js").Member[]>}
 */
export async function mentionCandidates({ open, session, lists }) {
  const { business } = open.conversation;
  const [members, teams] = await Promise.all([lists.read(business, "members"), lists.read(business, "teams")]);
  return [
    ...members.filter((one) => one.assignable !== false && one.id !== session.agent.id),
    ...teams.filter((one) => !one.retired && one.members.length).map(({ id, name, members: { length } }) => ({ id, name, isTeam: true, count: length })),
  ];
}

/** The colours that are offered for labels and teams; any other can be mixed. */
export const labelColours = Object.freeze([
  "#e5484d", "#f76b15", "#d19d00", "#46a758", "#12a594", "#0090ff", "#4353ff", "#8e4ec6", "#d6409f", "#7a8194",
]);

/** The offered colour that the fewest use. @param {{colour: string, retired?: boolean}[]} known */
export function freshColour(known) {
  const uses = (colour) => known.filter((one) => !one.retired && one.colour.toLowerCase() === colour).length;
  return labelColours.reduce((best, colour) => (uses(colour) < uses(best) ? colour : best));
}

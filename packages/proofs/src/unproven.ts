/** The modules about which there are no claims. A file of its own: it loads none of them. */

/**
 * Families without claims: known answers and comparisons with other implementations are all that speaks for them. `npm run prove`, PROVEN.md
 * and the documents say so. There is none.
 */
const UNPROVEN: readonly string[] = [];

/** Whether there are claims about a module or a kernel, whose names begin with their family. */
export const hasClaims = (name: string): boolean => !UNPROVEN.includes(name.split(' ')[0]);

/** Which errors say that a queue is out of reach, or busy with itself, and may be asked again. */

/** Of the system; and of PostgreSQL classes 08, 53 and 57P, and transactions that had to give way to others. */
const CODES = /^(?:E[A-Z]+|08...|53...|57P..|40001|40P01)$/;

/** Of drivers and servers that have no codes. */
const MESSAGES =
  /^(?:Connection (?:is closed|terminated|ended)|Command aborted due to|(?:BUSY|LOADING|READONLY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|NOREPLICAS) |timeout (?:expired|exceeded)|Client .* is not queryable|Query read timeout)/i;

export function isLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? MESSAGES.test(message) : CODES.test(code);
}

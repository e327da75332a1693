// Inputs that are variables, and outputs that must be the specification's own terms.
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import type { Range } from '../execute/machine.ts';
import { counted } from './amounts.ts';
import { Failure } from './claim.ts';
import type { Runnable } from './runnable.ts';

/** `length` unknown bytes, on which nothing public may depend. */
export const secrets = (name: string, length: number): Term[] =>
  Array.from({ length }, (_, i) => terms.variable(8, `${name}[${i}]`, true));

/** The bytes of a public number, little-endian. */
export const publicBytes = (value: bigint, length: number): Term[] =>
  Array.from({ length }, (_, i) => terms.constant(8, Number((value >> BigInt(8 * i)) & 0xffn)));

export const range = (from: number, length: number): Range => ({ from, to: from + length });

/** Throws {@link Failure} unless the bytes from an address on are those of the specification. */
export function expectBytes(run: Runnable, address: number, expected: readonly Term[], what: string): void {
  counted('bytes', expected.length);
  const found = run.read(address, expected.length);
  const wrong = expected.flatMap((term, i) => (term === found[i] ? [] : [i]));
  if (wrong.length === 0) return;
  const first = wrong[0];
  throw new Failure(
    `${what}: ${wrong.length} of ${expected.length} bytes differ, the first is byte ${first} at ${address + first}: ` +
      `${terms.describe(found[first], 3)} instead of ${terms.describe(expected[first], 3)}`,
  );
}

/** Throws {@link Failure} if a run so far did something that is forbidden to kernels. */
export function expectNoEvents(run: Runnable, what: string): void {
  counted('runs', 1);
  const { events } = run;
  if (events.length === 0) return;
  const shown = events.slice(0, 3).map((event) => `${event.kind} (${event.what})`);
  throw new Failure(`${what}: ${events.length} events: ${shown.join(', ')}`);
}

/** Throws {@link Failure} if a byte that depends on a secret is left outside the ranges. */
export function expectNoSecrets(run: Runnable, except: readonly Range[], what: string): void {
  counted('wiped', 1);
  const left = run.secretBytes().filter((at) => !except.some(({ from, to }) => at >= from && at < to));
  if (left.length === 0) return;
  throw new Failure(`${what}: ${left.length} bytes that depend on secrets are left, the first at ${left[0]}`);
}

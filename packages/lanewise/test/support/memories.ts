/** All linear memory of the library, searched for remains of a call. */
import { expect } from 'vitest';
import type { Instance } from '../../src/engine/instance.ts';
import { key, messageOf, shortKey } from './byte-call.ts';
import { partsOf } from './rooms.ts';

const parts = await partsOf<() => Instance<unknown>[]>('instances', 'instances');

/** All instances of the engine that is selected. */
export const instances = (): Instance<unknown>[] => [...new Set(parts.flatMap((part) => part()))];

/** The number of bytes in a row that are searched for. */
const NEEDLE = 8;
/** Parts of the keys and plaintexts of `byte-call.ts`. */
const secrets = [
  ...[key, shortKey].flatMap((bytes) => [bytes.subarray(0, NEEDLE), bytes.subarray(8, 8 + NEEDLE)]),
  ...[0, 60, 1000].map((at) => messageOf(2000).subarray(at, at + NEEDLE)),
];

export interface Found {
  /** Parts of keys or plaintexts. */
  readonly secrets: boolean;
  /** A row of NEEDLE bytes with the value `mark`. */
  readonly marked: boolean;
  /** Anything that was not there from the start. */
  readonly changed: boolean;
}

/** Saves the memory before any call; the function that it returns searches for differences, and undoes them. */
export function watchMemories(mark: number): () => Found {
  const watched = instances().map(({ memory }) => ({ memory, initial: memory.slice() }));
  const row = new Uint8Array(NEEDLE).fill(mark);
  return () => {
    const changed = watched.filter(({ memory, initial }) => Buffer.compare(memory, initial) !== 0);
    const has = (bytes: Uint8Array): boolean =>
      changed.some(({ memory }) => Buffer.from(memory.buffer).includes(bytes));
    const found = { secrets: secrets.some(has), marked: has(row), changed: changed.length > 0 };
    for (const { memory, initial } of changed) memory.set(initial);
    return found;
  };
}

/** Fails if there are keys or plaintexts. */
export const expectNoSecrets = ({ secrets: left }: Found, what: string): void => {
  if (left) expect.fail(`${what}: a part of a key or plaintext is left in memory`);
};

/** After every call, whether it returned or threw, linear memory is as it was after instantiation: the comparison, of every byte. */
import { expect, vi } from 'vitest';
import type { Instance } from '../../src/engine/instance.ts';

/** No byte is zero, because a zero that is left could not be seen. */
export const pattern = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (Math.imul(i + seed, 0x9e3779b1) >>> 24) | 1);

type Bytes = Uint8Array;
/** Whether a byte at an address of a memory is a public one of the call's ciphertext. */
type IsPublic = (byte: number, address: number, ciphertext: Bytes, name: string) => boolean;

interface Watched {
  readonly name: string;
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly initial: Bytes;
  /** The memory after the last call: bytes that are known to be public. */
  before: Bytes;
}

export class Memories {
  readonly watched: readonly Watched[];
  readonly #isPublic: IsPublic;

  /** The memories of instances as they are now. Two instances may have one memory. */
  constructor(instances: Readonly<Record<string, Instance<object>>>, isPublic: IsPublic = () => false) {
    const names = new Map(Object.entries(instances).map(([name, { memory }]) => [memory, name]));
    this.watched = [...names].map(([memory, name]) => {
      const initial = memory.slice();
      return { name, memory, initial, before: initial };
    });
    this.#isPublic = isPublic;
  }

  /** Fails if a byte of any memory is neither as it was at the start nor public; `ciphertext` is the call's result or argument. */
  expectWiped(call: string, ciphertext?: Bytes): void {
    const found: string[] = [];
    for (const entry of this.watched) {
      const { name, memory, initial, before } = entry;
      entry.before = initial;
      // Mostly the whole memory is unchanged, which is quickly compared.
      if (Buffer.compare(memory, initial) === 0) continue;
      const left: number[] = [];
      const isPublic = this.#isPublic;
      for (let i = 0; i < memory.length; i++) {
        const byte = memory[i];
        if (byte === initial[i] || byte === before[i]) continue;
        if (!ciphertext || !isPublic(byte, i, ciphertext, name)) left.push(i);
      }
      entry.before = memory.slice();
      if (left.length === 0) continue;
      found.push(`${left.length} bytes in ${name} from ${left[0]} to ${left.at(-1)}`);
      // Restored, so that only the call that left the byte fails.
      this.restore();
    }
    expect(found, call).toEqual([]);
  }

  expectFailure(call: string, work: () => unknown, error: RegExp, ciphertext?: Bytes): void {
    expect(() => {
      try {
        work();
      } catch (thrown) {
        // With its kind, for which patterns may ask.
        throw new Error(String(thrown), { cause: thrown });
      }
    }, call).toThrow(error);
    this.expectWiped(`${call}, which throws`, ciphertext);
  }

  /** Fails unless one byte that is left anywhere is found. */
  expectClose(): void {
    for (const { memory } of this.watched) {
      memory[memory.length - 1] = 1;
      expect(() => this.expectWiped('planted')).toThrow('planted');
      this.expectWiped('taken away');
    }
  }

  restore(): void {
    for (const entry of this.watched) {
      entry.memory.set(entry.initial);
      entry.before = entry.initial;
    }
  }
}

/**
 * Runs tests while instances throw: in the place of the kernel's functions, when the caller's bytes are in memory and no function of the
 * kernel wipes them, or when a result is read.
 */
export function whileThrowing(
  instances: readonly Instance<object>[],
  time: 'before' | 'after',
  tests: () => void,
): void {
  const planted = (): never => {
    throw new Error('planted');
  };
  // Two of them may be the same.
  const restore = [...new Set(instances)].map((instance) => {
    if (time === 'after') {
      const spy = vi.spyOn(instance, 'read').mockImplementation(planted);
      return () => {
        spy.mockRestore();
      };
    }
    const { run } = instance;
    Object.assign(instance, { run: Object.fromEntries(Object.keys(run).map((name) => [name, planted])) });
    return () => {
      Object.assign(instance, { run });
    };
  });
  try {
    tests();
  } finally {
    for (const each of restore) each();
  }
}

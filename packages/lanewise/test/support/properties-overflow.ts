/**
 * The stack overflows in an operation, wherever it can. Then memory holds public bytes only, the same operation is right on a
 * new object, and the engine is the one that was chosen.
 */
import { expect } from 'vitest';
import { describe as chosen, select, type Engine } from '../../src/engine.ts';
import { expectBytes } from './bytes.ts';
import { engines } from './engines.ts';
import { Random } from './interleaved/random.ts';
import type { Given, Operation } from './overflow-operation.ts';
import { operations } from './overflow-operations.ts';
import type { Property } from './properties.ts';
import { overflowing } from './stack.ts';

const EDGES = [16, 64, 128, 256, 1024, 2048, 16_384, 65_536, 122_880];
/** The number of equal bytes in a row that identifies a place in ciphertext. */
const WINDOW = 4;

/** All places of public bytes, each as a number of 32 bits. */
function windowsOf(lists: readonly Uint8Array[]): ReadonlySet<number> {
  const windows = new Set<number>();
  for (const bytes of lists)
    for (let at = 0; at + WINDOW <= bytes.length; at++)
      windows.add(Buffer.from(bytes.buffer, bytes.byteOffset + at).readUInt32LE());
  return windows;
}

/** The addresses of bytes that have changed, are not zero now, and do not lie in a row that is public. */
function leftIn(memory: Uint8Array, before: Uint8Array, isPublic: () => ReadonlySet<number>): number[] {
  if (Buffer.compare(memory, before) === 0) return [];
  const view = Buffer.from(memory.buffer, memory.byteOffset, memory.length);
  const windows = isPublic();
  const left: number[] = [];
  for (let at = 0; at < memory.length; at++) {
    if (memory[at] === before[at] || memory[at] === 0) continue;
    let known = false;
    for (let from = Math.max(0, at - WINDOW + 1); from <= at && from + WINDOW <= memory.length; from++)
      known ||= windows.has(view.readUInt32LE(from));
    if (!known) left.push(at);
  }
  return left;
}

/**
 * Lets the stack overflow at every place of an operation, on an engine or on the one that the library takes. Returns the number of
 * overflows.
 */
export function overflowAll(operation: Operation, on: Engine | 'auto', given: Given, step: number): number {
  const { name, memories, make, work, expected, isPublic, sealed } = operation;
  select(on);
  const { engine } = chosen();
  const result = expected(given);
  // The places are computed when they are needed: mostly memory is unchanged.
  let windows: ReadonlySet<number> | undefined;
  const publicWindows = (): ReadonlySet<number> =>
    (windows ??= windowsOf([...(sealed ? [result] : []), ...(isPublic ? [isPublic(given)] : [])]));
  const once = (): Uint8Array => work(given, make?.(given) as never);
  expectBytes(once(), result, `${name} on ${engine}`);
  const watched = memories();
  let before: Uint8Array[] = [];
  return overflowing({
    step,
    make() {
      const object = make?.(given);
      before = watched.map((memory) => memory.slice());
      return object;
    },
    work: (object) => work(given, object as never),
    check(_, room) {
      const what = `${name} on ${engine}, ${given.text.length} bytes, ${room}`;
      watched.forEach((memory, i) => {
        if (!leftIn(memory, before[i], publicWindows).length) return;
        // A self-test that was interrupted holds nothing secret. Asking for the instance makes it again, and that wipes first.
        memories();
        const left = leftIn(memory, before[i], publicWindows);
        if (left.length)
          expect.fail(`${what}: ${left.length} bytes stay in memory ${i}, from ${left[0]} to ${left.at(-1)}`);
      });
      expectBytes(once(), result, `${what}, afterwards`);
      expect(chosen().engine, what).toBe(engine);
    },
  });
}

function givenOf(random: Random, { longest }: Operation): Given {
  // No byte is zero, because a zero that is left could not be seen.
  const bytes = (length: number): Uint8Array => random.bytes(length).map((byte) => byte || 1);
  return { key: bytes(32), nonce: bytes(24), text: bytes(random.length(longest, EDGES)) };
}

export function overflowProperties(told: (overflows: number) => void): readonly Property[] {
  const run = (cases: number, seed: number): void => {
    const random = new Random(seed);
    try {
      for (let i = 0; i < cases; i++) {
        const operation = random.pick(operations);
        told(
          overflowAll(
            operation,
            random.pick([...engines, 'auto' as const]),
            givenOf(random, operation),
            random.between(1, 16),
          ),
        );
      }
    } catch (error) {
      throw new Error(`seed ${seed}, ${cases} operations: ${(error as Error).message}`, { cause: error });
    } finally {
      select('auto');
    }
  };
  return [{ name: 'the stack overflows in an operation of any family', share: 1, run }];
}

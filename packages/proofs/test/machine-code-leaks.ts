// Leaks that are planted in kernels for the tests that look at machine code. Each has an effect, or a compiler would remove it.
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { when } from '../../lanewise/src/wasm/control.ts';
import type { Expression, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { kernelOf, type Kernel } from '../src/kernels.ts';
import { atStart, flip } from '../src/mutations/plant.ts';
import { proofsOf } from '../src/rooms.ts';

const DIV_U = '\x6e';
const ANY_TRUE = '\xfd\x53';
const statements: Readonly<Record<string, (key: number) => Statement>> = {
  branch: (key) => when(i32.and(i32.load(0, key), 1), flip(key + 4)),
  'branch on a vector': (key) => when((v128.load(0, key) + ANY_TRUE) as Expression<'i32'>, flip(key + 4)),
  address: (key) => i32.store(0, key + 4, i32.load8_u(i32.and(i32.load(0, key), 63))),
  division: (key) =>
    i32.store(0, key + 4, (i32.value(1000) + i32.or(i32.load(0, key), 1) + DIV_U) as Expression<'i32'>),
};

/** How a leak shows in machine code. */
export const showsAs = (leak: string): string => leak.split(' ')[0];

export const leaks = Object.keys(statements);
/** One kernel of each of these families, vectors and scalar. */
export const leaking = ['chacha long relaxed', 'blake3 relaxed', 'serpent swizzle', 'disk scalar'];

/** A kernel with a function that begins with a leak. */
export function withLeak(name: string, what: string): Kernel {
  const kernel = kernelOf(name);
  const { name: called, key } = proofsOf(kernel.family).mutations.leak;
  return atStart(called, statements[what](key))(kernel);
}

/**
 * A level of the tree in lanes, where it really is. The induction over nodes (lanes-induction.ts) has them apart from the uses of
 * them; but with a last set that is not full, a level writes over the beginning of the one below. So each level of each tree that a call
 * may have is run: 3 to 16 parents in a group, and up to 32 in two.
 */
import { CV_BYTES, CVS, KEY, SETS } from '../../../../lanewise/src/blake3/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { Machine } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { forgetTerms, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { inductionClaim, unknown, word } from '../keystream/induction.ts';
import { anySets, functionsOf, LANES, NamedRounds, upTo } from './lanes-group.ts';
import * as blake3 from './specification.ts';
import { PARENT } from './specification.ts';

const BLOCK_BYTES = 64;
/** The most chunks that STAGE has room for. */
export const MOST_CHUNKS = 64;
/** Fewer nodes take the loop without lanes. */
export const ENOUGH = 3;

/** The place of a level of so many nodes: it starts at node number `count` of a heap whose node 2 is at CVS. */
export const levelAt = (count: number): number => CVS + CV_BYTES * (count - 2);

/** So many nodes become half as many; an odd one stays as it is. */
function proveLevel(kernel: Kernel, count: number): void {
  const what = `a level of ${count} nodes`;
  const module = decode(kernel.bytes);
  const { nodes, rounds } = functionsOf(module);
  const named = new NamedRounds();
  const parents = count >> 1;
  const [from, to] = [levelAt(count), levelAt((count + 1) >> 1)];
  const filled = (parents + LANES - 1) & -LANES;
  const [key, flags] = [secrets('key', CV_BYTES), unknown('flags')];
  const values = upTo(1, count).map((i) => secrets(`node ${i}`, CV_BYTES));
  const machine: Machine = new Machine<Term>(module, {
    ranges: {
      reads: [range(KEY, CV_BYTES), range(SETS, CVS - SETS), range(from, BLOCK_BYTES * filled)],
      writes: [range(SETS, CVS - SETS), range(to, CV_BYTES * filled)],
    },
    calls: new Map([[rounds.index, ([end]) => named.onSets(machine, end as Term, what)]]),
    mostSteps: kernel.mostSteps,
  });
  machine.write(KEY, key);
  anySets(machine);
  values.forEach((value, i) => machine.write(from + CV_BYTES * i, value));
  machine.callFunction(nodes, from, parents, BLOCK_BYTES, 1, BLOCK_BYTES, 0, 0, 0, flags, 0, 0, to);
  counted('nodes', parents);
  expectNoEvents(machine, what);
  // The specification's parent of no mode; `flags` are those of any mode and of a parent.
  const w: blake3.Compressing<Term> = {
    ...symbols,
    compression(_, h, block, [t0, t1, length, own]) {
      require(own === word(PARENT), () => `${what}: a parent with other flags`);
      return named.compress(h, block, [t0, t1, length, flags]);
    },
  };
  const words = values.map((value) => wordsOf(symbols, value));
  const expected = upTo(0, parents - 1).flatMap((i) =>
    bytesOf(symbols, blake3.chainingValue(w, blake3.parent(wordsOf(symbols, key), 0, words[2 * i], words[2 * i + 1]))),
  );
  expectBytes(machine, to, expected, what);
  if (count & 1) expectBytes(machine, from + CV_BYTES * (count - 1), values[count - 1], `${what}: the odd one`);
}

/** Nothing but forms with vectors has these. */
export function levelClaims(kernel: Kernel): Claim[] {
  if (kernel.form === 'scalar') return [];
  return [
    inductionClaim(kernel, 'each level of up to 64 nodes of a tree in lanes, where it is, every key and mode', () => {
      for (const count of upTo(2 * ENOUGH, MOST_CHUNKS)) {
        forgetTerms();
        proveLevel(kernel, count);
      }
    }),
  ];
}

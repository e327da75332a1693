/**
 * PBKDF2's iterations, by induction: one from any digest and any sum, with any number of them left. As in hmac-claims.ts names stand
 * for the results of `compress`.
 */
import { DIGEST, INNER, OUTER, SUM } from '../../../../lanewise/src/sha2/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { sub, xor, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { inductionClaim, NOTHING, outerLoop, unknown, word } from '../keystream/induction.ts';
import { namesOf } from './hmac-claims.ts';
import { bytesIn, endsOf, machineWords, rangesOf, type Subject } from './setting.ts';
import { outerHash } from './specification.ts';

/** What an iteration knows: the kernel, and the words that it computes with. */
type Words<L> = Pick<Subject<L>, 'size' | 'w'>;

function proveIteration<L>(kernel: Kernel, words: Words<L>, end: number): void {
  const what = `an iteration, ${end} bytes`;
  const { size, w } = words;
  const { value, block } = bytesIn(size);
  const module = decode(kernel.bytes);
  const left = unknown('iterations');
  const rest = sub(left, word(1));
  const cut: Cut<Term> = {
    at: outerLoop(module, exported(module, 'iterate').index),
    enter(locals, changed) {
      require(locals[0] === left && locals[1] === word(end), () => `${what}: the loop starts with other parameters`);
      for (const local of changed) if (local !== 0) locals[local] = NOTHING;
    },
    again(condition, locals) {
      const next = locals[0] === rest && locals[1] === word(end);
      require(condition === rest && next, () => `${what}: the next one is another one`);
      return false;
    },
  };
  const { compression, instead } = namesOf(words);
  const ranges = rangesOf(size).iterate(end);
  const run = new Machine<Term>(module, { ranges, instead, cut, mostSteps: kernel.mostSteps });
  const [inner, outer] = [secrets('inner', value), secrets('outer', value)];
  const [before, sum] = [secrets('block', block), secrets('sum', end)];
  for (const [at, bytes] of [
    [INNER, inner],
    [OUTER, outer],
    [DIGEST, before],
    [SUM, sum],
  ] as const)
    run.write(at, bytes);
  run.call('iterate', left, end);
  counted('iterations', 1);
  expectNoEvents(run, what);
  // RFC 8018 §5.2: U of the iteration before is the message.
  const hash = compression(machineWords(w, size, inner), before);
  const after = outerHash(w, compression, { inner: hash, outer: machineWords(w, size, outer), block: before, end });
  const sums = sum.map((byte, i) => xor(byte, after.block[i]));
  expectBytes(run, SUM, sums, what);
  expectBytes(run, DIGEST, after.block, `${what}: the digest`);
  expectBytes(run, INNER, inner, `${what}: after the inner pad`);
  expectBytes(run, OUTER, outer, `${what}: after the outer pad`);
}

/** For the lengths of digests of all its hash functions. */
export const iterateInduction = <L>(kernel: Kernel, words: Words<L>): Claim =>
  inductionClaim(kernel, 'iterate, any number of iterations, every key, digest and sum', () => {
    for (const end of endsOf(words.size)) proveIteration(kernel, words, end);
  });

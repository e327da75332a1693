// HMAC's key and outer hash, and PBKDF2's iterations, of every key, chaining value and block. Names stand for the results of
// `compress`, which has its own claims in claims.ts. These are about the bytes that are hashed, their order, and the places of results.
import { DIGEST, INITIAL, INNER, OUTER, STATE, SUM } from '../../../../lanewise/src/sha2/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Instead, RunnableKernel } from '../../claims/runnable.ts';
import { inPlaceOf, Named, type Part } from '../../claims/stand-ins.ts';
import type { Ranges } from '../../execute/run.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { bytesIn, endsOf, machineBytes, machineWords, rangesOf, scheduleRange, type Subject } from './setting.ts';
import { keyed, outerHash, type Compression, type Size } from './specification.ts';

const padded = (key: readonly Term[], pad: number): Term[] =>
  key.map((byte) => terms.xor(byte, terms.constant(8, pad)));

/** `compress` of one block at DIGEST: claims.ts has a claim for every chaining value and block. */
const compressPart = (size: Size): Part => ({
  name: 'compress',
  writes(address, blocks) {
    require(address === DIGEST && blocks === 1, () => `compress of ${blocks} blocks at ${address}`);
    return [range(STATE, bytesIn(size).value), scheduleRange(size)];
  },
});

/** Names for the results of compressions, as the specification takes them, and the stand-in for the kernel's function. */
export function namesOf<L>({ size, w }: Pick<Subject<L>, 'size' | 'w'>): {
  readonly compression: Compression<Term, L>;
  readonly instead: Instead;
} {
  const named = new Named();
  const { value, block } = bytesIn(size);
  const after = (state: readonly Term[], message: readonly Term[]): Term[] =>
    named.of('compression', [...state, ...message], value);
  return {
    compression: (hash, message) => machineWords(w, size, after(machineBytes(w, hash), message)),
    instead: {
      compress: inPlaceOf(compressPart(size), (run) => [
        { address: STATE, bytes: after(run.read(STATE, value), run.read(DIGEST, block)) },
      ]),
    },
  };
}

function proveKey<L>(subject: Subject<L>): void {
  const { kernel, size, w } = subject;
  const { compression, instead } = namesOf(subject);
  const run = kernel.start(rangesOf(size).key(), instead);
  const { value, block } = bytesIn(size);
  const [initial, key] = [secrets('initial value', value), secrets('key', block)];
  run.write(INITIAL, initial);
  run.write(DIGEST, key);
  run.call('key');
  expectNoEvents(run, 'key');
  const { inner, outer, outerBlock } = keyed(compression, machineWords(w, size, initial), key, padded);
  expectBytes(run, INNER, machineBytes(w, inner), 'after the inner pad');
  expectBytes(run, OUTER, machineBytes(w, outer), 'after the outer pad');
  expectBytes(run, DIGEST, outerBlock, 'the key with the outer pad');
  expectBytes(run, INITIAL, initial, 'the initial value');
}

/** Memory with a chaining value after each pad, and a block of the outer hash. */
function hmacRun<L>(subject: Subject<L>, ranges: Ranges) {
  const { kernel, size } = subject;
  const { value, block } = bytesIn(size);
  const { compression, instead } = namesOf(subject);
  const run = kernel.start(ranges, instead);
  const [inner, outer, rest] = [secrets('inner', value), secrets('outer', value), secrets('block', block)];
  run.write(INNER, inner);
  run.write(OUTER, outer);
  run.write(DIGEST, rest);
  return { run, compression, inner, outer, rest };
}

function proveOuter<L>(subject: Subject<L>, end: number): void {
  const { size, w } = subject;
  const what = `the outer hash, ${end} bytes`;
  const { run, compression, outer, rest } = hmacRun(subject, rangesOf(size).outer(end));
  const state = secrets('state', bytesIn(size).value);
  run.write(STATE, state);
  run.call('outer', end);
  expectNoEvents(run, what);
  const of = { inner: machineWords(w, size, state), outer: machineWords(w, size, outer), block: rest, end };
  expectBytes(run, DIGEST, outerHash(w, compression, of).block, what);
  expectBytes(run, OUTER, outer, `${what}: after the outer pad`);
}

function proveIterate<L>(subject: Subject<L>, count: number, end: number): void {
  const { size, w } = subject;
  const what = `${count} iterations, ${end} bytes`;
  const { run, compression, inner, outer, rest } = hmacRun(subject, rangesOf(size).iterate(end));
  let sum = secrets('sum', end);
  run.write(SUM, sum);
  run.call('iterate', count, end);
  expectNoEvents(run, what);
  let block: readonly Term[] = rest;
  // RFC 8018 §5.2: U of the iteration before is the message.
  for (let i = 0; i < count; i++) {
    const hash = compression(machineWords(w, size, inner), block);
    ({ block } = outerHash(w, compression, { inner: hash, outer: machineWords(w, size, outer), block, end }));
    sum = sum.map((byte, k) => terms.xor(byte, block[k]));
  }
  expectBytes(run, SUM, sum, what);
  expectBytes(run, DIGEST, block, `${what}: the last digest`);
  expectBytes(run, INNER, inner, `${what}: after the inner pad`);
  expectBytes(run, OUTER, outer, `${what}: after the outer pad`);
}

/** In modules any other number is claimed by induction. */
export const countsOf = ({ name }: RunnableKernel): number[] => (name.endsWith('js') ? [1, 2, 3] : [1, 2]);

export const hmacStatements = <L>(subject: Subject<L>): Claim[] => {
  const { kernel, size } = subject;
  const claim = (topic: string, text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic,
    claim: `${topic}: ${text}`,
    prove,
  });
  return [
    claim('hmac', 'both pads, of every key and initial value', () => proveKey(subject)),
    ...endsOf(size).flatMap((end) => [
      claim('hmac', `the outer hash, ${end} bytes, of every chaining value and block`, () => proveOuter(subject, end)),
      ...countsOf(kernel).map((count) =>
        claim('pbkdf2', `${count} iterations, ${end} bytes, of every key, digest and sum`, () =>
          proveIterate(subject, count, end),
        ),
      ),
    ]),
  ];
};

/**
 * The hash of tweaks and messages at every length, wherever they are: which blocks Poly1305 takes, under which key, and which bytes NH.
 * Contracts stand for the two, and for pieces one after the other; these hold by induction.
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import type { Case, Num } from '../../every-length/cases.ts';
import { BEFORE, ZERO, type Content, type Contents } from '../../every-length/content.ts';
import type { Contract } from '../../every-length/outline.ts';
import { Place, sameValue, type Base } from '../../every-length/values.ts';
import type { Kernel } from '../../kernels.ts';
import { decode } from '../../wasm/decode.ts';
import { atEveryLength, lastParts, merged, textAt, type Setting } from '../keystream/at-every-length.ts';
import type { Absorbed, Sealing } from '../keystream/every-length.ts';
import { computingIn, hashingIn } from './functions.ts';
import { BLOCK } from './hbsh-specification.ts';
import { callerOf } from './nh-induction.ts';
import { HASH_BYTES } from './parts.ts';

const { HEADS_BYTES, NH, NH_BYTES, POLY, POLY_KEY, STAGE_BYTES } = layout;
const R = POLY + 32;
export const S = POLY + 48;
export const POLY_BYTES = 64;
export const H_BYTES = 20;
const PIECE = 1024;
const NONE = -1;

/** The content of bytes that were copied from one address to another one. */
const copied = (to: number, from: number): Content => ({ kind: 'before', delta: (from - to) >>> 0 });
/** Named bytes from an address on. */
const bytesAt = (kind: string, at: number): Content => ({ kind, delta: -at >>> 0 });
export const upTo16 = (c: Case, n: Num): Num => c.and(c.add(n, BLOCK - 1), -BLOCK >>> 0);

export interface Span {
  readonly from: Num;
  readonly to: Num;
}
/** Bytes from an address on. */
export const span = (c: Case, from: Num, length: Num): Span => ({ from, to: c.add(from, length) });

/** Throws Failure unless all bytes but those of some spans, in the order of their addresses, are as they were. */
export function expectKept(memory: Contents, changed: readonly Span[], what: string): void {
  let at: Num = 0;
  for (const { from, to } of changed) {
    memory.expect(at, from, BEFORE, what);
    at = to;
  }
  memory.expect(at, memory.pieces.at(-1)!.to, BEFORE, what);
}

/** Throws Failure unless r is one of the keys, and s is zero. */
export function expectKey(memory: Contents, nh: number, ofMessage: boolean): void {
  const key = POLY_KEY + (nh && ofMessage ? BLOCK : 0);
  memory.expect(R, R + BLOCK, copied(R, key), 'r');
  memory.expect(S, S + BLOCK, ZERO, 's');
}

const HEAD: Base = { name: 'head', home: 2 ** 20 };
const MESSAGE: Base = { name: 'message', home: 2 ** 21 };
const SAVED: Base = { name: 'saved', home: 2 ** 22 };
const [head, message, saved] = [HEAD, MESSAGE, SAVED].map(({ home }) => home!);

/** How many bytes of hashes NH makes of so many bytes. */
const hashBytes = (c: Case, length: Num): Num => c.mul(HASH_BYTES, c.shiftedDown(c.add(length, PIECE - 1), 10));

/** NH of all pieces of the message of a case, filled up with zeros. */
const nhOfAll: Contract = (outline, [address, bytes, to]) => {
  const { case: c, memory } = outline;
  const size = outline.number(bytes, 'length');
  const isAll = sameValue(c, address, new Place(MESSAGE)) && c.equal(size, upTo16(c, c.length)) && to === NH;
  if (!isAll) throw outline.failure('NH of other bytes, or to another place');
  const { from, to: end } = span(c, message, c.length);
  memory.expect(from, end, BEFORE, 'what NH takes');
  memory.expect(end, c.add(from, size), ZERO, 'the padding that NH takes');
  const hashes = span(c, NH, hashBytes(c, size));
  require(c.lessOrEqual(hashes.to, NH + NH_BYTES), () => 'NH has more hashes than there is room for');
  memory.put(hashes.from, hashes.to, bytesAt('hashes', NH));
  return undefined;
};

function settingOf(kernel: Kernel, startsMac?: Setting['startsMac']): Setting {
  const module = decode(kernel.bytes);
  const { absorb, finish } = computingIn(module);
  return {
    kernel,
    module,
    leaves: {
      start: NONE,
      blocks: [],
      startMac: NONE,
      absorb,
      finishMac: finish,
      verify: NONE,
      woven: undefined,
    },
    startsMac,
    others: new Map([[callerOf(module).index, nhOfAll]]),
    bases: [HEAD, MESSAGE, SAVED],
  };
}

const HASHES: Content = { kind: 'hashes', delta: 0 };
const bytesOf = (sealing: Sealing, c: Case, at: number, length: Num): Absorbed[] =>
  merged(sealing, c, lastParts(c, textAt(at), length));

/** A message, or the part of one, after anything else: Adiantum's by way of NH. */
function proveAbsorb(kernel: Kernel, nh: number): void {
  const setting = settingOf(kernel);
  const f = setting.module.functions[hashingIn(setting.module).absorb];
  atEveryLength(setting, STAGE_BYTES, (sealing, length, c) => {
    const { memory, outline } = sealing.absorbing();
    outline.within(f, [nh, new Place(MESSAGE), length]);
    const hashes = hashBytes(c, upTo16(c, length));
    const ofNh: Absorbed = { from: 0, to: hashes, content: HASHES, top: 1 };
    sealing.expectAbsorbed(nh ? [ofNh] : bytesOf(sealing, c, message, length), sealing.absorbed, 'a message');
    memory.expect(POLY, POLY + POLY_BYTES, { kind: 'mac', delta: 0 }, 'the state of Poly1305');
    const padding = { from: c.add(message, length), to: c.add(message, upTo16(c, length)) };
    const poly = span(c, POLY, POLY_BYTES);
    expectKept(memory, [poly, span(c, NH, nh ? NH_BYTES : 0), padding], 'what is around a message');
  });
}

/** Lengths and tweak: Adiantum's is a number that is kept, HPolyC's an accumulator. */
function proveTweak(kernel: Kernel, nh: number): void {
  const setting = settingOf(kernel, (memory) => {
    memory.expect(POLY, POLY + H_BYTES, ZERO, 'the accumulator of nothing');
    expectKey(memory, nh, false);
  });
  const f = setting.module.functions[hashingIn(setting.module).tweak];
  atEveryLength(
    setting,
    MOST_HEAD,
    (sealing, length, c) => {
      const { memory, outline } = sealing;
      outline.within(f, [nh, new Place(HEAD), length, new Place(SAVED)]);
      sealing.expectAbsorbed(bytesOf(sealing, c, head, length), nh ? sealing.tagged : sealing.absorbed, 'a tweak');
      const [size, result] = nh ? [BLOCK, bytesAt('tag', saved)] : [H_BYTES, { ...copied(saved, POLY), kind: 'mac' }];
      memory.expect(saved, saved + size, result, 'what is kept of a tweak');
      const padding = { from: c.add(head, length), to: c.add(head, upTo16(c, length)) };
      const poly = span(c, POLY, POLY_BYTES);
      expectKept(memory, [poly, padding, span(c, saved, size)], 'what is around a tweak');
    },
    BLOCK,
  );
}

/** Lengths, and a tweak of up to 4096 bytes. */
export const MOST_HEAD = 4096 + BLOCK;

/** `nh` is 1 for Adiantum, and 0 for HPolyC, as in the kernels. */
export const CIPHERS = ['hpolyc', 'adiantum'] as const;

export const hashLengths = (kernel: Kernel): Claim => ({
  kernel: kernel.name,
  topic: 'every length',
  claim: `every length: the hash of a message of 0 to ${STAGE_BYTES} bytes, after any other, and of a head of ${BLOCK} to ${MOST_HEAD}, wherever they are`,
  prove() {
    require(MOST_HEAD <= HEADS_BYTES, () => 'there is no room for a head');
    for (const nh of CIPHERS.keys()) {
      proveAbsorb(kernel, nh);
      proveTweak(kernel, nh);
    }
  },
});

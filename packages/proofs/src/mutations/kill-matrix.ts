/**
 * For each kind of claims a fault that no other kind finds, so that none of them is idle. A kind is what claims of one row
 * of the table are about, and of Serpent's each mode.
 */
import * as blake3 from '../../../lanewise/src/blake3/map.ts';
import * as disk from '../../../lanewise/src/disk/map.ts';
import * as stream from '../../../lanewise/src/keystream/map.ts';
import { STATE as POLY_STATE, TAG } from '../../../lanewise/src/poly1305/map.ts';
import { BOX, TAG_BYTES } from '../../../lanewise/src/salsa/map.ts';
import * as serpent from '../../../lanewise/src/serpent/map.ts';
import { sequence, set, when } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import {
  unsigned,
  type Expression,
  type Local,
  type Operand,
  type Statement,
} from '../../../lanewise/src/wasm/types.ts';
import { ROOT } from '../../../lanewise/src/blake3/rounds.ts';
import type { Claim } from '../claims/claim.ts';
import { decode } from '../wasm/decode.ts';
import { topicOf } from '../prove-report.ts';
import {
  beforeCallOf,
  behind,
  conditionOn,
  end,
  functionOf,
  inserted,
  parameter,
  start,
  type Place,
  type Plant,
} from './plant.ts';

/** What a claim is about. */
export function kindOf(claim: Claim): string {
  const topic = topicOf(claim);
  return topic === 'serpent' ? claim.claim.split(/:| in parts/, 1)[0] : topic;
}

/**
 * Kinds that find other faults than their own: the hash of the bytes finds all; uses of public numbers are in a list, and
 * most of these faults have some that are not; whatever fails leaves something that is not covered.
 */
export const UNSPECIFIC: readonly string[] = ['golden', 'public numbers', 'coverage'];

/**
 * Kinds without a fault in a kernel. Known answers prove nothing; thresholds are about the claims, which have to be at them;
 * and what is wiped after a call is a matter of the modules around a kernel: wiping.test.ts changes what was recorded of those.
 */
export const WITHOUT: readonly string[] = ['known answers', 'thresholds', 'wiped after every call'];

/** 1 if a number has one value, else 0, without a comparison. */
function ifEqual(n: Local<'i32'>, value: number): Expression<'i32'> {
  const x = i32.xor(n, value);
  return i32.xor(i32.shr_u(i32.or(x, i32.sub(0, x)), 31), 1);
}

/** Their first operands are on the stack already. */
const [I32_AND, I32_NE] = ['\x71', '\x47'];

const flip = (address: number): Statement => i32.store(0, address, i32.xor(i32.load(0, address), 1));
const at = (place: Place) => (name: string, code: Statement) => inserted(functionOf(name), place, code);
const atStart = at(start);
const atEnd = at(end);
const unless = (condition: Operand<'i32'>, otherwise: Statement): Statement => when(i32.eqz(condition), otherwise);

/** An alignment hint that is another one, and means the same. */
const hint: Plant = (kernel) => {
  const load = decode(kernel.bytes).functions[0].code.find((step) => step.op === 'i32.load')!;
  const bytes = Uint8Array.from(kernel.bytes);
  bytes[load.at + 1] = 0;
  return { ...kernel, bytes };
};

/** A byte that is in memory from the start, where additional data will be. */
const dataOverInput: Plant = (kernel) => {
  const segment = '\x01\x00' + i32.value(stream.AAD) + '\x0b\x01\x2a';
  const section = '\x0b' + unsigned(segment.length) + segment;
  return {
    ...kernel,
    bytes: Uint8Array.from([...kernel.bytes, ...Array.from(section, (character) => character.charCodeAt(0))]),
  };
};

/** The verdict is not given back as it is, though it stays the same: what is done to it could do more. */
const touchedVerdict = inserted(functionOf('verify'), end, i32.value(1) + I32_AND);

const swapped = (x: number, y: number): Statement => {
  const [first, second] = [x, y].map(parameter);
  const SET = '\x21';
  return (first + second + SET + unsigned(x) + SET + unsigned(y)) as Statement;
};

const chacha: Readonly<Record<string, Plant>> = {
  golden: hint,
  lints: dataOverInput,
  'constant time': touchedVerdict,
  // A length that no claim about results has, and no branch.
  'public numbers': atStart('finish', set(parameter(2), i32.add(parameter(2), ifEqual(parameter(2), 61)))),
  // A length that no claim about results has.
  coverage: atEnd('seal', when(i32.eq(parameter(2), 62), i32.store(0, stream.DATA, 0))),
  // Only keys of 16 bytes have this constant.
  keystream: atStart('xor', when(i32.eq(parameter(0), stream.SHORT_KEY), flip(stream.STATE + 16))),
  // Of tags that are compared, one is at an address that is no multiple of four.
  "the AEAD's cipher": atStart('verify', set(parameter(0), i32.and(parameter(0), -4))),
  'chacha20-poly1305': atStart('finish', swapped(1, 3)),
  // Nonces of 24 bytes only; the tag is no matter of the claims about the cipher.
  'xchacha20-poly1305': inserted(
    functionOf('seal'),
    beforeCallOf('finish'),
    i32.store(0, stream.POLY, i32.xor(i32.load(0, stream.POLY), i32.and(parameter(0), 2))),
  ),
  // Of additional data, all lengths but one are wiped.
  'left in memory': inserted(functionOf('seal'), conditionOn(1), i32.value(62) + I32_NE),
};

const ofFlags = (flags: number): Plant => atEnd('hash', when(i32.eq(parameter(1), flags), flip(blake3.CV)));

const BLAKE3: Readonly<Record<string, Plant>> = {
  hash: atEnd('hash', unless(parameter(1), flip(blake3.CV))),
  'keyed hash': ofFlags(16),
  'derive key, context': ofFlags(32),
  'derive key, material': ofFlags(64),
  chunk: atEnd('chunk', flip(blake3.CV)),
  prepare: atEnd('prepare', flip(blake3.BLOCK)),
  // Whole messages begin with chunk 0, and end with the root.
  tree: atStart('tree', when(parameter(1), flip(blake3.STAGE))),
  parent: atStart('parent', unless(i32.and(parameter(0), ROOT), flip(blake3.CVS))),
  copyUp: atEnd('copyUp', flip(blake3.CVS + blake3.CV_BYTES)),
  many: atEnd('many', flip(blake3.CVS)),
  output: atEnd('output', flip(blake3.STAGE)),
};

const inData = ['ecbEncrypt', 'ecbDecrypt', 'cbcEncrypt', 'cbcDecrypt', 'cbcMany'].map(
  (name) => [name, atEnd(name, flip(serpent.DATA))] as const,
);
const SERPENT: Readonly<Record<string, Plant>> = {
  ...Object.fromEntries(inData),
  // Two streams are none of the numbers that claims about results have.
  bounds: atStart('cbcMany', i32.store8(i32.sub(serpent.SETS, i32.and(parameter(1), 2)), 0, 0)),
  // Far from the first block.
  OCB: inserted(behind('begin'), start, when(i32.shr_u(parameter(0), 20), flip(serpent.OFFSET))),
  'OCB seal': atEnd('seal', flip(serpent.DATA)),
  'OCB open': atEnd('open', flip(serpent.DATA)),
  // A message in one call begins with block 0.
  'OCB encrypt': atEnd('encrypt', when(parameter(0), flip(serpent.DATA))),
  'OCB decrypt': atEnd('decrypt', when(parameter(0), flip(serpent.DATA))),
};

const [key, big, blocks] = [0, 1, 2].map(parameter);
const ctr = (...conditions: readonly Operand<'i32'>[]): Plant =>
  atEnd(
    'ctr',
    conditions.reduceRight((inner, condition) => when(condition, inner), flip(serpent.DATA)),
  );
const SERPENT_CTR: Readonly<Record<string, Plant>> = {
  'CTR, big-endian': ctr(big, i32.lt_u(16, blocks)),
  'CTR, little-endian, keys of 16 and 24 bytes': ctr(i32.eqz(big), i32.eq(blocks, 1)),
  CTR: ctr(i32.eqz(key)),
};

const DISK: Readonly<Record<string, Plant>> = {
  // What else has AES in it knows of the S-box by its name only.
  'AES-256': atEnd('substitute', flip(disk.SLICES)),
  // No page of those that are claimed with NH in them has a piece of so many units.
  NH: atStart('nh', when(i32.eq(parameter(1), 31), flip(disk.NH_KEY))),
  keys: atEnd('heads', flip(disk.HEADS)),
  adiantum: atStart('pages', when(parameter(1), flip(disk.DATA))),
  hpolyc: atStart('pages', unless(parameter(1), flip(disk.DATA))),
};

/** By kernel, and then by kind. */
export const killMatrix: Readonly<Record<string, Readonly<Record<string, Plant>>>> = {
  'chacha short scalar': chacha,
  'salsa short scalar': { secretbox: atEnd('seal', flip(BOX - TAG_BYTES)) },
  'poly1305 scalar': { poly1305: atEnd('mac', sequence(flip(TAG), i32.store(0, POLY_STATE, 0))) },
  'blake3 scalar': BLAKE3,
  'serpent scalar': SERPENT,
  'serpent-ctr scalar': SERPENT_CTR,
  'disk scalar': DISK,
};

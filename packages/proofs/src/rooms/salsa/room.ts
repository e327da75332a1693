/** The proofs of salsa.js's modules: secretbox with Salsa20, which has the keystream too, and with ChaCha. */
import { HEAD, MARGIN, POLY, SETS, STATE, TAG as GIVEN } from '../../../../lanewise/src/keystream/map.ts';
import { BOX, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import { secretboxClaims, secretboxTextClaims } from './claims.ts';
import { onText } from '../../javascript/runner.ts';
import { atSomeLength, byTopics, EVERY_LENGTH, onlyBy, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  beforeCallOf,
  choice,
  chosen,
  flip,
  functionOf,
  ifMagic,
  ifWord,
  inserted,
  parameter,
  withConstants,
  type Plant,
} from '../../mutations/plant.ts';
import { sequence } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { PolynomialDoubles } from '../../polynomials/doubles.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { ABOUT_SEALING } from '../keystream/about.ts';
import { doublesInduction } from '../poly1305/text-induction.ts';
import { sealingFaults, shortKeyFault } from '../keystream/faults.ts';
import type { ModuleProofs, Room } from '../room.ts';
import { secretboxBounds, secretboxWays } from './bounds.ts';
import { secretboxEveryLength } from './every-length.ts';
import { salsaExceptions } from './exceptions.ts';
import { secretboxLeft } from './left.ts';
import { secretboxNumbers } from './numbers.ts';
import { secretboxRandomCalls } from './random-calls.ts';
import { salsaRecorded } from './recorded.ts';

const TAG = BOX - TAG_BYTES;

/** The proofs of the module with one of the ciphers. */
const proofsWith = (cipher: 'salsa' | 'chacha'): ModuleProofs => ({
  results: (kernel) => secretboxClaims(kernel, cipher),
  textResults: (text) =>
    secretboxTextClaims(
      text,
      onText(text, () => new PolynomialDoubles()),
      cipher,
    ),
  everyLength: (kernel) => secretboxEveryLength(kernel, cipher),
  ownInText: {
    functions: 2,
    inDoubles: 1,
    why: 'Poly1305 has doubles: blocks, and the last step',
    induction: (text) => [doublesInduction(text, POLY)],
  },
  bounds: secretboxBounds,
  ways: secretboxWays,
  left: secretboxLeft,
  verdicts: ['verify', 'open'],
  // A box is staged in front of STAGE, with its tag.
  wiping: { ciphertextFrom: TAG },
  numbers: secretboxNumbers,
  mutations: {
    leak: { name: 'xor', key: STATE + 16 },
    constantIn: 'absorb',
    about: ABOUT_SEALING,
    calls: secretboxRandomCalls,
  },
});

/** `seal` clears the bytes that it has written after the message, and one byte more. */
const clearsMore: Plant = (kernel) => {
  const { code } = exported(decode(kernel.bytes), 'seal');
  const last = code.findLastIndex(({ op }) => op === 'memory.fill');
  return withConstants(kernel, [code[last - 1]], MARGIN + 1);
};

const faults: readonly Fault[] = [
  ...sealingFaults('salsa', 'seal', TAG),
  ...sealingFaults('secretbox-chacha', 'seal', TAG),
  ...['salsa short scalar', 'salsa long scalar'].map(shortKeyFault),
  {
    module: 'salsa short scalar',
    name: 'seal',
    planted: 'seal flips a bit of the tag',
    plant: atEnd('seal', flip(TAG)),
    found: onlyBy('secretbox'),
  },
  {
    module: 'salsa short scalar',
    name: 'seal',
    planted: 'seal clears a byte after the margin',
    plant: clearsMore,
    // Found by a flipped bit: claims had allowed 64 bytes after the margin.
    found: atSomeLength('secretbox', 'bounds'),
  },
  {
    module: 'salsa long scalar',
    name: 'open',
    planted:
      'open takes every tag that begins with four certain bytes for right if bit 9 of the length is set, by an address',
    plant: inserted(
      functionOf('open'),
      beforeCallOf('verify'),
      sequence(
        choice(SETS),
        ...[12, 8, 4, 0].map((at) => {
          const [found, given] = [i32.load(0, HEAD + at), i32.load(0, GIVEN + at)];
          const mask = i32.and(chosen(SETS, parameter(1), 9), ifMagic(GIVEN));
          return i32.store(0, HEAD + at, i32.xor(found, i32.and(i32.xor(found, given), mask)));
        }),
      ),
    ),
    found: EVERY_LENGTH,
  },
  {
    module: 'salsa long scalar',
    name: 'open',
    planted: 'open of 16,384 bytes takes every tag that begins with four certain bytes for right, by data',
    plant: inserted(
      functionOf('open'),
      beforeCallOf('verify'),
      sequence(
        i32.store(0, SETS, parameter(1)),
        ...[12, 8, 4, 0].map((at) => {
          const [found, given] = [i32.load(0, HEAD + at), i32.load(0, GIVEN + at)];
          const mask = i32.and(ifWord(SETS, 16_384), ifMagic(GIVEN));
          return i32.store(0, HEAD + at, i32.xor(found, i32.and(i32.xor(found, given), mask)));
        }),
      ),
    ),
    found: byTopics('every length'),
  },
];

export const room: Room = {
  modules: {
    salsa: proofsWith('salsa'),
    // Its keystream is nothing that a public module gives out.
    'secretbox-chacha': proofsWith('chacha'),
  },
  recorded: salsaRecorded,
  exceptions: salsaExceptions,
  faults,
};

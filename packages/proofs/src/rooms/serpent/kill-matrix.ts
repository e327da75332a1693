/** For each kind of claims, a fault that no other kind finds. */
import * as serpent from '../../../../lanewise/src/serpent/map.ts';
import { when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Operand } from '../../../../lanewise/src/wasm/types.ts';
import { atEnd, atStart, flip, type KillMatrix } from '../../mutations/kill-tools.ts';
import { behind, inserted, parameter, start, type Plant } from '../../mutations/plant.ts';

const inData = ['ecbEncrypt', 'ecbDecrypt', 'cbcEncrypt', 'cbcDecrypt', 'cbcMany'].map(
  (name) => [name, atEnd(name, flip(serpent.STAGE))] as const,
);
const SERPENT: Readonly<Record<string, Plant>> = {
  ...Object.fromEntries(inData),
  // Claims about results have no call with two streams.
  bounds: atStart('cbcMany', i32.store8(i32.sub(serpent.SETS, i32.and(parameter(1), 2)), 0, 0)),
  // A fault far from the first block.
  OCB: inserted(behind('begin'), start, when(i32.shr_u(parameter(0), 20), flip(serpent.OFFSET))),
  'OCB seal': atEnd('seal', flip(serpent.STAGE)),
  'OCB open': atEnd('open', flip(serpent.STAGE)),
  // A message in one call begins with block 0.
  'OCB encrypt': atEnd('encrypt', when(parameter(0), flip(serpent.STAGE))),
  'OCB decrypt': atEnd('decrypt', when(parameter(0), flip(serpent.STAGE))),
};

const [key, big, blocks] = [0, 1, 2].map(parameter);
const ctr = (...conditions: readonly Operand<'i32'>[]): Plant =>
  atEnd(
    'ctr',
    conditions.reduceRight((inner, condition) => when(condition, inner), flip(serpent.STAGE)),
  );
const SERPENT_CTR: Readonly<Record<string, Plant>> = {
  'CTR, big-endian': ctr(big, i32.lt_u(16, blocks)),
  'CTR, little-endian, keys of 16 and 24 bytes': ctr(i32.eqz(big), i32.eq(blocks, 1)),
  CTR: ctr(i32.eqz(key)),
};

export const serpentKills: KillMatrix = { 'serpent scalar': SERPENT, 'serpent-ctr scalar': SERPENT_CTR };

/** For each kind of claims, a fault that no other kind finds. */
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { ROOT } from '../../../../lanewise/src/blake3/rounds.ts';
import { when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { atEnd, atStart, flip, unless, type KillMatrix } from '../../mutations/kill-tools.ts';
import { parameter, type Plant } from '../../mutations/plant.ts';

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

export const blake3Kills: KillMatrix = { 'blake3 scalar': BLAKE3 };

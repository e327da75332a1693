/** For each kind of claims, a fault that no other kind finds. */
import * as disk from '../../../../lanewise/src/disk/map.ts';
import { when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { atEnd, atStart, flip, unless, type KillMatrix } from '../../mutations/kill-tools.ts';
import { parameter, type Plant } from '../../mutations/plant.ts';

const DISK: Readonly<Record<string, Plant>> = {
  // Other claims that involve AES have names for the S-box's outputs.
  'AES-256': atEnd('substitute', flip(disk.SLICES)),
  // No other claim that runs NH has a page with a piece of this many units.
  NH: atStart('nh', when(i32.eq(parameter(1), 31), flip(disk.NH_KEY))),
  keys: atEnd('heads', flip(disk.HEADS)),
  adiantum: atStart('pages', when(parameter(1), flip(disk.STAGE))),
  hpolyc: atStart('pages', unless(parameter(1), flip(disk.STAGE))),
};

export const diskKills: KillMatrix = { 'disk scalar': DISK };

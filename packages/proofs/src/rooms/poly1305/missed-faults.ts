/** Faults in the kernels of Poly1305 that all claims once missed. */
import { STATE as POLY_STATE } from '../../../../lanewise/src/poly1305/map.ts';
import { when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { flipIfMagic, other, type MissedFault } from '../../mutations/missed-fault.ts';
import { functionOf, parameter, start } from '../../mutations/plant.ts';

const first = parameter(0);

export const poly1305Missed: readonly MissedFault[] = [
  other(
    'poly1305 scalar',
    'P02',
    'absorb of 200 blocks changes the accumulator if a word of r has one value',
    'absorb',
    functionOf('absorb'),
    start,
    when(i32.eq(first, 200), flipIfMagic(POLY_STATE, POLY_STATE + 32)),
  ),
];

// The memory that the kernels of Poly1305 touch, at many more lengths than the claims about results have.
import * as poly1305 from '../../../../lanewise/src/poly1305/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { range } from '../../claims/compare.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import type { CallForm } from '../../claims/form.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { bytes, type Way } from '../../claims/ways.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

function macPoly1305(kernel: FlowKernel, length: number): Called {
  const { STATE: state, STAGE: stage, TAG: tag } = poly1305;
  const padded = range(stage, (length + 15) & -16);
  const writes = [range(state, 64), range(tag, 16), padded];
  const run = kernel.start({ reads: [range(state + 32, 32), padded], writes });
  run.write(state + 32, 32, true);
  run.write(stage, length, true);
  return called(run, 'mac', length);
}

export function poly1305Bounds(kernel: FlowKernel): Claim[] {
  const most = poly1305.STAGE_BYTES;
  return [
    {
      kernel: kernel.name,
      claim: 'bounds: mac, every length up to 530, and the most',
      prove() {
        for (const length of [...upTo(0, 530), most - 1, most]) macPoly1305(kernel, length);
      },
    },
  ];
}

export const poly1305Ways = (kernel: FlowKernel, _form: CallForm, most: number): Way[] => [
  bytes('mac', most, (length) => macPoly1305(kernel, length)),
];

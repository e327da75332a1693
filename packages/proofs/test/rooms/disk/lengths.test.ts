/** The claims about every length of a page see faults that hide at lengths and numbers which no claim about results has. */
import { afterEach, describe, expect, it } from 'vitest';
import { kernelOf, type Kernel } from '../../../src/kernels.ts';
import { Failure } from '../../../src/claims/claim.ts';
import { diskEveryLength } from '../../../src/rooms/disk/every-length.ts';
import { diskLengthFaults } from '../../../src/rooms/disk/length-faults.ts';
import { forgetTerms } from '../../../src/terms/term.ts';

async function objectionsOf(kernel: Kernel): Promise<string[]> {
  const objections: string[] = [];
  for (const claim of diskEveryLength(kernel).filter(({ topic }) => topic === 'every length')) {
    try {
      await claim.prove();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      objections.push(error.message);
    }
    forgetTerms();
  }
  return objections;
}

afterEach(forgetTerms);

it.each(['disk scalar', 'disk relaxed'])('%s has none', async (name) => {
  expect(await objectionsOf(kernelOf(name))).toEqual([]);
});

describe.each(diskLengthFaults)('$module: $planted', ({ module, plant }) => {
  const kernel = plant(kernelOf(module));

  it('is refuted', async () => {
    expect(WebAssembly.validate(kernel.bytes)).toBe(true);
    expect(await objectionsOf(kernel)).not.toEqual([]);
  });
});

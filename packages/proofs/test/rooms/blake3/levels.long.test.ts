// A level of a tree in lanes writes over the beginning of the one below. The induction over nodes cannot see a fault in that; the claim
// about levels where they are does.
import { describe, expect, it } from 'vitest';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { CV_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { Failure } from '../../../src/claims/claim.ts';
import { kernelOf } from '../../../src/kernels.ts';
import { inserted, parameter, start } from '../../../src/mutations/plant.ts';
import { levelClaims } from '../../../src/rooms/blake3/levels.ts';
import { calleesOf } from '../../../src/rooms/keystream/every-length.ts';
import { exported } from '../../../src/wasm/types.ts';

describe('levels of a tree in lanes', () => {
  const [count, out] = [parameter(1), parameter(11)];
  // The last place of the last set, before anything is read: nodes that lie apart from it stay right.
  const last = i32.shl(i32.sub(i32.and(i32.add(count, 3), -4), 1), Math.log2(CV_BYTES));
  const clears = inserted(
    (module) => module.functions[calleesOf(exported(module, 'many'))[1]],
    start,
    i32.store(i32.add(out, last), 0, 0),
  );

  it('are proved, and a fault where they overlap is refuted', async () => {
    const kernel = kernelOf('blake3 relaxed');
    const [claim] = levelClaims(kernel);
    await claim.prove();
    const faulty = clears(kernel);
    expect(WebAssembly.validate(faulty.bytes)).toBe(true);
    const [refuted] = levelClaims(faulty);
    expect(() => refuted.prove()).toThrow(Failure);
    expect(() => refuted.prove()).toThrow('a level of 6 nodes');
  });
});

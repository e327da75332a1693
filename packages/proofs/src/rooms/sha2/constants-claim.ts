// The constants are not in the modules: their bindings write them to memory once. The other claims start with those of the
// specification there, and this one holds the bindings to it.
import { CONSTANTS, SCHEDULE } from '../../../../lanewise/src/sha2/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { constantsOf, type Size } from './specification.ts';

/** Functions that do nothing, whose answer a self-test finds wrong. */
const IDLE = new Proxy({}, { get: () => () => undefined });

/** The bytes of the constants as the machine has them: little-endian. */
export function constantBytes(size: Size): Uint8Array {
  const bytes = size.bits / 8;
  return Uint8Array.from(
    constantsOf(size).flatMap((word) =>
      Array.from({ length: bytes }, (_, i) => Number((word >> BigInt(8 * i)) & 255n)),
    ),
  );
}

export const constantsClaim = (kernel: string, family: string, size: Size): Claim => ({
  kernel,
  topic: 'constants',
  claim: 'constants: the binding writes those of FIPS 180-4 §4.2',
  async prove() {
    // The recorder loads all rooms, this one too, and must be loaded before any module of the library.
    const { Recorder } = await import('../../claims/wiping-record.ts');
    const { asked } = await Recorder.load();
    const memory = new ArrayBuffer(2 * 65536);
    asked(family, IDLE, memory);
    const expected = constantBytes(size);
    const found = new Uint8Array(memory, CONSTANTS, SCHEDULE);
    counted('bytes', expected.length);
    expected.forEach((byte, i) => require(found[i] === byte, () => `byte ${i} is ${found[i]} instead of ${byte}`));
  },
});

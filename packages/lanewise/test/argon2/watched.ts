/** The memories of derivations that are under way or over. */
import { vi } from 'vitest';
import { argon2Instance } from '../../src/argon2/binding.ts';
import { BLOCKS, SCRATCH } from '../../src/argon2/map.ts';
import { Instance } from '../../src/engine/instance.ts';

/** Each is tested before it is used, and the test wipes a part of it. */
export function watched(): Set<Uint8Array> {
  const memories = new Set<Uint8Array>();
  const { memory } = argon2Instance();
  const wipe: Instance<unknown>['wipe'] = Reflect.get(Instance.prototype, 'wipe');
  vi.spyOn(Instance.prototype, 'wipe').mockImplementation(function (this: Instance<unknown>, ...values) {
    // Those of BLAKE2b are smaller.
    if (this.memory.length > BLOCKS && this.memory !== memory) memories.add(this.memory);
    wipe.apply(this, values);
  });
  return memories;
}
export const isWiped = (memory: Uint8Array): boolean => {
  for (let at = SCRATCH; at < memory.length; at++) if (memory[at]) return false;
  return true;
};

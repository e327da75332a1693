/** HChaCha and HSalsa20 on words. */
import { checkWords } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { STAGE, STATE } from './map.ts';
import { writeWord } from './input.ts';

/** HChaCha or HSalsa20 with 20 rounds: the first and the last row are its input, and the subkey takes the place of the key. */
export function extendWords(
  instance: (length: number) => Instance<{ extend(doubleRounds: number): void }>,
  constants: Uint32Array,
  key: Uint32Array,
  input: Uint32Array,
  out: Uint32Array,
): void {
  checkWords(constants, 'constants', 4);
  checkWords(key, 'key', 8);
  checkWords(input, 'input', 4);
  checkWords(out, 'out', 8);
  lend(instance(0), STATE, STAGE, ({ memory, run }) => {
    const write = (from: Uint32Array, at: number, count: number): void => {
      for (let i = 0; i < count; i++) writeWord(memory, at + 4 * i, from[i]);
    };
    write(constants, STATE, 4);
    write(key, STATE + 16, 8);
    write(input, STATE + 48, 4);
    run.extend(10);
    for (let i = 0; i < 8; i++) {
      const at = STATE + 16 + 4 * i;
      out[i] = memory[at] | (memory[at + 1] << 8) | (memory[at + 2] << 16) | (memory[at + 3] << 24);
    }
  });
}

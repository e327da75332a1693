/** Calls of the room's public modules that nothing is recorded of. */
import { destroyed, key, none, nonce, ones, STAGE, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  ({ serpent }) => serpent.ctr(key, new Uint8Array(16).fill(255)).encrypt(ones(16)),
  ({ serpent }) => serpent.ctr(key, new Uint8Array(16).fill(255, 0, 9)).encrypt(ones(16)),
  ({ serpent }) => serpent.ctr(key, nonce(16)).encrypt(none),
  ({ serpent }) => serpent.cbc(key, nonce(16), { disablePadding: true }).decrypt(none, none),
  ({ serpent }) => serpent.cbc(key, nonce(16), { disablePadding: true }).encrypt(none),
  ({ serpent }) => serpent.cbc.encryptMany(key, [], []),
  // Options.
  ({ serpent }) => serpent.ecb(key, { disablePadding: true }).decrypt(ones(STAGE + 16)),
  ({ serpent }) => serpent.ecb(key).decrypt(serpent.ecb(key).encrypt(ones(20)), ones(32)),
  ({ serpent }) => serpent.ecb(key).decrypt(serpent.ecb(key).encrypt(ones(STAGE + 3))),
  ({ serpent }) => {
    const many = Array.from({ length: 40 }, (_, i) => ones(i % 3 ? 16 * (i % 4) : 0));
    const ivs = many.map((_, i) => nonce(16).fill(i));
    return serpent.cbc.encryptMany(key, ivs, many, { disablePadding: true });
  },
];

export const refused: readonly Call[] = [
  // A forgery that is long enough for a copy.
  ({ serpent }) => serpent.ocb(key, nonce(12)).decrypt(ones(STAGE + 116), ones(STAGE + 100)),
  ({ serpent }) => serpent.ecb(key).decrypt(none),
  ({ serpent }) => destroyed(serpent.ecb(key), (mode) => mode.encrypt(none)),
  ({ serpent }) => destroyed(serpent.cbc(key, nonce(16)), (mode) => mode.encrypt(none)),
  ({ serpent }) => destroyed(serpent.ctr(key, nonce(16)), (mode) => mode.encrypt(none)),
  ({ serpent }) => serpent.ctr(key, new Uint8Array(16).fill(255)).encrypt(ones(17)),
  ({ serpent }) => serpent.ocb(key, none),
  ({ serpent }) => serpent.ocb(key, ones(16)),
  ({ serpent }) => serpent.cbc.encryptMany(key, [], [none]),
  ({ serpent }) => serpent.cbc.encryptMany(key, 'text' as unknown as Uint8Array[], []),
];

/** Calls of the room's public modules that nothing is recorded of. */
import { key, none, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  ({ blake2 }) => blake2.blake2b(none, { salt: key.subarray(0, 16), personalization: key.subarray(0, 16) }),
  ({ blake2 }) => blake2.blake2s.create().destroy(),
];

export const refused: readonly Call[] = [
  ({ blake2 }) => blake2.blake2b(none, { dkLen: 65 }),
  ({ blake2 }) => blake2.blake2s(none, { key: new Uint8Array(33) }),
];

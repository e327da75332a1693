/** Calls of the room's public modules that nothing is recorded of. */
import { key, none, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  ({ scrypt }) => scrypt.scrypt(key, none, { N: 2, r: 1 }),
  ({ scrypt }) =>
    scrypt.scrypt(key, none, { N: 2, signal: AbortSignal.abort() }).catch(() => {
      // It is aborted before it begins.
    }),
];

export const refused: readonly Call[] = [({ scrypt }) => scrypt.scryptSync(key, none, { N: 3 })];

/** Calls of the room's public modules that nothing is recorded of. */
import { key, none, type Call } from '../../branch-calls.ts';

const options = { m: 8, t: 1 };

export const ordinary: readonly Call[] = [
  ({ argon2 }) => argon2.argon2id(none, key, options),
  ({ argon2 }) =>
    argon2.argon2i(none, key, { ...options, signal: AbortSignal.abort() }).catch(() => {
      // It is aborted before it begins.
    }),
];

export const refused: readonly Call[] = [({ argon2 }) => argon2.argon2dSync(none, key, { m: 7 })];

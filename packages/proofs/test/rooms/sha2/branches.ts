/** Calls of the room's public modules that nothing is recorded of. */
import { key, none, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  ({ sha2 }) => sha2.hashMany(sha2.sha256, []),
  ({ sha2 }) => sha2.hashMany(sha2.sha256, [key]),
  ({ sha2 }) => sha2.hashMany(sha2.sha512, [key, none]),
  ({ sha2 }) => sha2.sha256.create().destroy(),
  ({ sha2 }) => sha2.hmac.create(sha2.sha256, key).destroy(),
  ({ sha2 }) => sha2.hkdf(sha2.sha256, key, undefined, undefined, 32),
  ({ sha2 }) =>
    sha2.pbkdf2(sha2.sha256, none, key, { c: 1, signal: AbortSignal.abort() }).catch(() => {
      // It is aborted before it begins.
    }),
  ({ sha2 }) => sha2.pbkdf2(sha2.sha256, none, key, { c: 1 }),
  ({ box: { createBox } }) => {
    const box = createBox(key);
    box.open(box.seal(key));
    box.destroy();
  },
];

export const refused: readonly Call[] = [
  ({ sha2 }) => sha2.hmac((() => key) as unknown as typeof sha2.sha256, key, none),
  ({ sha2 }) => sha2.hashMany(sha2.sha256, key as unknown as Uint8Array[]),
  ({ sha2 }) => sha2.hashMany(sha2.sha256, [key, 1 as unknown as Uint8Array]),
  ({ sha2 }) => sha2.expand(sha2.sha256, key, none, 255 * 32 + 1),
  ({ sha2 }) => sha2.pbkdf2Sync(sha2.sha256, key, none, { c: 2 ** 32 }),
  ({ sha2 }) => sha2.pbkdf2Sync(sha2.sha256, key, none, { c: 1, dkLen: 2 ** 32 * 32 }),
];

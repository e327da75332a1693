/** Another realm, as a frame or a vm gives it to callers: its Uint8Array is none of ours. */
import { runInNewContext } from 'node:vm';

export const otherRealm = (): Pick<typeof globalThis, 'ArrayBuffer' | 'Uint8Array'> =>
  runInNewContext('({ ArrayBuffer, Uint8Array })') as Pick<typeof globalThis, 'ArrayBuffer' | 'Uint8Array'>;

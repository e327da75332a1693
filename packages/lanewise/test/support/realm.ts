/** Another realm, as a frame or a vm gives it to callers: its Uint8Array is not the library's. */
import { runInNewContext } from 'node:vm';

type Constructors = Pick<typeof globalThis, 'ArrayBuffer' | 'Object' | 'Uint8Array'>;

export const otherRealm = (): Constructors => runInNewContext('({ ArrayBuffer, Object, Uint8Array })') as Constructors;

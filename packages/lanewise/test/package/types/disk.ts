/** The public interface of disk.js in the hands of a user with strict types. Not run. */
import { open } from 'node:fs/promises';
import { chacha20poly1305, xchacha20poly1305 } from 'lanewise/chacha.js';
import {
  adiantum,
  authenticatedPages,
  encryptedFile,
  hpolyc,
  type AsynchronousFile,
  type AuthenticatedFileOptions,
  type AuthenticatedPages,
  type FileOptions,
  type PageCipher,
  type SynchronousFile,
  type SynchronousHandle,
} from 'lanewise/disk.js';

declare const bytes: Uint8Array;
declare const buffer: Buffer<ArrayBuffer>;
declare const handle: SynchronousHandle;

const plain: PageCipher = adiantum(bytes, { rounds: 20 });
const authenticated: AuthenticatedPages = authenticatedPages(xchacha20poly1305, bytes);
const node = await open('file');

/** Files answer as their handles do. */
export const synchronous: SynchronousFile[] = [
  encryptedFile(handle, plain, { tweak: 'offset64' }),
  encryptedFile(handle, hpolyc(bytes), { tweak: { fscrypt: bytes }, pageSize: 512 }),
  encryptedFile(handle, authenticated),
  encryptedFile(handle, authenticated, { create: true, pageSize: 512, context: buffer }),
];
export const asynchronous: AsynchronousFile[] = [
  encryptedFile(node, plain, { tweak: (page) => new Uint8Array([Number(page)]) }),
  encryptedFile(node, authenticated, { create: true }),
];
export const sizes: [number, Promise<number>] = [synchronous[0].size(), asynchronous[0].size()];
export const pages: [Buffer, Buffer] = [
  plain.encryptPages(buffer, { pageSize: 512, tweak: 'index64' }),
  authenticated.encryptPages(buffer, { pageSize: 512 }),
];

// @ts-expect-error -- pages have nonces and tags, no tweaks: the last 40 bytes of each would be lost
encryptedFile(handle, authenticated, { tweak: 'index64' });
// @ts-expect-error -- nor with the options of the others in a variable
encryptedFile(node, authenticated, { tweak: 'index64', pageSize: 4096 } satisfies FileOptions);
// @ts-expect-error -- without a tweak all pages would be encrypted alike
encryptedFile(handle, plain);
// @ts-expect-error -- these have no header
encryptedFile(handle, plain, { tweak: 'index64', create: true });
// @ts-expect-error -- nor are they bound to anything
encryptedFile(handle, plain, { context: bytes } satisfies AuthenticatedFileOptions);
// @ts-expect-error -- an AEAD isn't a cipher of pages
encryptedFile(handle, xchacha20poly1305, { create: true });
// @ts-expect-error -- bytes, not text
encryptedFile(handle, authenticated, { context: 'name' });
// @ts-expect-error -- no such tweak
encryptedFile(handle, plain, { tweak: 'plain64' });
// Its nonces are too short: refused at run time.
authenticatedPages(chacha20poly1305, bytes);

/**
 * Encryption of disk sectors and database pages.
 *
 * | name | page | use |
 * |---|---|---|
 * | {@link authenticatedPages} | has 40 spare bytes | the one to take: a page that was changed is refused |
 * | {@link adiantum} | as long as it was | where no byte is to spare: sectors, files in place, formats of others |
 * | {@link hpolyc} | as long as it was | the same with smaller keys, slower |
 *
 * {@link encryptedFile} makes a file of pages, with reads and writes at any byte. With `authenticatedPages` the file is
 * authenticated as one: pages of other files and a file that was cut off are refused too.
 *
 * Adiantum and HPolyC are **deterministic and unauthenticated**. An attacker who sees two snapshots of a disk sees which
 * pages have changed, and which have their old content again. One who can write to it can restore an older page at
 * its place, or turn a page into noise, unnoticed. But no attacker can change a part of a page: any change turns all
 * of it into noise.
 * @module
 */
export { adiantum, hpolyc, authenticatedPages } from './disk/ciphers.ts';
export type { AuthenticatedOptions, AuthenticatedPages, PageAead } from './disk/authenticated.ts';
export type { DiskOptions, PageCipher } from './disk/pages.ts';
export {
  encryptedFile,
  type AsynchronousFile,
  type AuthenticatedFileOptions,
  type FileOptions,
  type SynchronousFile,
} from './disk/file.ts';
export type { AsynchronousHandle, SynchronousHandle } from './io/handles.ts';
export type { PagesOptions, Tweak, TweakPreset } from './disk/tweak.ts';

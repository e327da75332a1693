/**
 * Encryption of disk sectors and database pages.
 *
 * | name | page | use |
 * |---|---|---|
 * | {@link authenticatedPages} | has 40 spare bytes | recommended: a changed page is refused |
 * | {@link adiantum} | keeps its length | where there is no spare byte: sectors, files in place, others' formats |
 * | {@link hpolyc} | keeps its length | the same with smaller keys, slower |
 *
 * {@link encryptedFile} makes a file of pages, with reads and writes at any byte. With `authenticatedPages` the file is
 * authenticated as a unit: pages of other files and a truncated file are refused, too.
 *
 * Adiantum and HPolyC are **deterministic and unauthenticated**. An attacker who sees two snapshots of a disk sees which
 * pages have changed, and which have their old content again. An attacker who can write to it can restore an older version
 * of a page, or turn a page into noise, undetected. But no attacker can change a part of a page: any change turns all
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

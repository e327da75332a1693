/** Which objects a worker may read and write: those under the prefixes that it was started with. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { addressOf, isDotSegment, type Address } from './address.ts';

/** Whether a name is a prefix itself or lies below it: `/data` allows `/data/x` and not `/database`. */
const below = (name: string, prefix: string, separator = '/'): boolean =>
  prefix === '' || name === prefix || name.startsWith(prefix.endsWith(separator) ? prefix : `${prefix}${separator}`);

/** A file's path with all symbolic links resolved; of a file that is not there yet, its folder's. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // A link that leads nowhere now may lead anywhere later.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isLink) throw error;
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/**
 * Whether some server could read a path as another than it seems: an encoded separator or a dot segment, encoded any number of
 * times, or with parameters after (`..;x`). The URL's parser has resolved the plain ones.
 */
function isAmbiguous(path: string): boolean {
  return path.split('/').some((segment) => {
    for (let text = segment; ;) {
      if (isDotSegment(text) || /[/\\\0]/.test(text)) return true;
      let decoded;
      try {
        decoded = decodeURIComponent(text);
      } catch {
        return true;
      }
      if (decoded === text) return false;
      text = decoded;
    }
  });
}

function isBelow(url: string, prefix: string): boolean {
  const object = addressOf(url);
  const root = addressOf(prefix);
  if (object.kind === 's3') return root.kind === 's3' && object.bucket === root.bucket && below(object.key, root.key);
  if (object.kind === 'file') return root.kind === 'file' && below(realPath(object.path), realPath(root.path), sep);
  if (root.kind !== 'http' || object.url.origin !== root.url.origin) return false;
  return !isAmbiguous(object.url.pathname) && below(object.url.pathname, root.url.pathname);
}

const isSame = (one: Address, other: Address): boolean => {
  if (one.kind === 's3') return other.kind === 's3' && one.bucket === other.bucket && one.key === other.key;
  if (one.kind === 'file')
    return other.kind === 'file' && (one.path === other.path || realPath(one.path) === realPath(other.path));
  return other.kind === 'http' && one.url.href === other.url.href;
};

/** Whether two URLs name one object, however they are written: scheme and encoding, and the symbolic links of files. */
export function sameObject(url: string, other: string): boolean {
  if (url === other) return true;
  try {
    return isSame(addressOf(url), addressOf(other));
  } catch {
    // One that is not understood, or not there, is refused for that.
    return false;
  }
}

/**
 * Whether an object lies under one of the prefixes, compared by whole segments: `s3://bucket/data` allows `s3://bucket/data/x` and
 * not `s3://bucket/database`. Symbolic links of files are followed first, on both sides.
 */
export function allowed(url: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => {
    try {
      return isBelow(url, prefix);
    } catch {
      // A URL that is not understood, or a folder that is not there.
      return false;
    }
  });
}

/**
 * Checks the prefixes that a worker is started with, so that a mistake is an error then and not a refusal of every job.
 * @param writes Whether objects are written there: servers of HTTP are only read.
 * @throws TypeError or RangeError naming `name`.
 */
export function checkPrefixes(prefixes: readonly string[], name: string, writes = false): void {
  if (!Array.isArray(prefixes)) throw new TypeError(`"${name}" expected an array of URLs, got type=${typeof prefixes}`);
  for (const prefix of prefixes as readonly string[]) {
    const address = addressOf(prefix, name);
    if (address.kind !== 'http') continue;
    if (writes) throw new RangeError(`"${name}" expected s3:// or file:// to write to, got ${address.url.protocol}//`);
    if (address.url.search !== '') throw new RangeError(`"${name}" expected a URL without a query`);
    if (isAmbiguous(address.url.pathname))
      throw new RangeError(`"${name}" expected a path without encoded separators and dots`);
  }
}

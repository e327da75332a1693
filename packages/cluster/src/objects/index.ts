/** Opens objects, by the schemes of their URLs. */
import { addressOf, type Address } from './address.ts';
import { allowed } from './allowed.ts';
import { NotAllowed } from './errors.ts';
import { FileReader } from './file-reader.ts';
import { FileUpload } from './file-upload.ts';
import { SharedFile } from './file.ts';
import { HttpReader } from './http-reader.ts';
import type { ObjectOptions, Reader, Upload } from './object.ts';
import { Bucket } from './s3.ts';
import { S3Reader } from './s3-reader.ts';
import { S3Upload } from './s3-upload.ts';
import { s3SettingsOf, settingsOf } from './settings.ts';

export { allowed, checkPrefixes, sameObject } from './allowed.ts';
export { NotAllowed, ObjectChanged, ObjectError, ObjectMissing, ObjectShort } from './errors.ts';
export type { ObjectOptions, ObjectVersion, Reader, Upload } from './object.ts';

/** Parses a URL that must name an object and lie under one of the prefixes, if there are any. */
function objectAt(
  url: string,
  prefixes: readonly string[] | undefined,
  verb: 'read' | 'write',
  name: 'source' | 'target',
): Address {
  const address = addressOf(url, name);
  if (address.kind === 's3' && address.key === '')
    throw new RangeError(`"${name}" expected s3://bucket/key, got no key`);
  if (prefixes !== undefined && !allowed(url, prefixes))
    throw new NotAllowed(url, `this process may not ${verb} it: it lies under none of its prefixes`);
  return address;
}

/**
 * A reader of an object in S3 (`s3://bucket/key`), on a shared file system (`file:///path`), or on a server of HTTPS that
 * sends ranges.
 * @param allow Prefixes under which the object must lie. Files are looked at again each time they are opened, as links change.
 * @throws TypeError or RangeError for arguments that cannot be meant, NotAllowed for an object under none of the prefixes.
 */
export function readerOf(url: string, options: ObjectOptions = {}, allow?: readonly string[]): Reader {
  const settings = settingsOf(options);
  const address = objectAt(url, allow, 'read', 'source');
  if (address.kind === 's3') return new S3Reader(new Bucket(address.bucket, s3SettingsOf(options)), address.key);
  if (address.kind === 'file') return new FileReader(new SharedFile(url, address.path, settings, allow));
  return new HttpReader(address.url, settings);
}

/**
 * An upload to an object in S3 (`s3://bucket/key`) or on a shared file system (`file:///path`).
 * @param allow Prefixes under which the object must lie.
 * @throws TypeError or RangeError for arguments that cannot be meant, NotAllowed for an object under none of the prefixes.
 */
export function uploadOf(url: string, options: ObjectOptions = {}, allow?: readonly string[]): Upload {
  const settings = settingsOf(options);
  const address = objectAt(url, allow, 'write', 'target');
  if (address.kind === 's3') return new S3Upload(new Bucket(address.bucket, s3SettingsOf(options)), address.key);
  if (address.kind === 'file') return new FileUpload(new SharedFile(url, address.path, settings, allow));
  throw new RangeError('"target" expected s3:// or file:// to write to: servers of HTTP are only read');
}

/** URLs of objects: the supported ones, and the objects that they name. */
import { fileURLToPath } from 'node:url';
import { shown } from './errors.ts';

/** The object that a URL names. */
export type Address =
  | { readonly kind: 's3'; readonly bucket: string; readonly key: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'http'; readonly url: URL };

/** Parameters of queries that let everybody who has the URL read the object: of S3, Google, Azure, CloudFront and others. */
const SIGNATURES =
  /^(x-amz-(signature|credential|security-token)|x-goog-(signature|credential)|signature|sig|key-pair-id|policy|token|access_token)$/i;

/** Amazon S3 User Guide, "General purpose bucket naming rules". */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const CONTROL = /\p{Cc}/u;

/** Whether a host's name is that of this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Path segments that URL parsers, proxies and file systems resolve, each in its own way. */
export const isDotSegment = (segment: string): boolean => /^\.{1,2}(;.*)?$/s.test(segment);

function s3Address(url: string, fail: (reason: string) => never): Address {
  // The rest is the key, unchanged, as in Amazon's command line: it may hold percent signs, question marks and blanks.
  const [, bucket, key] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(url)!;
  if (!BUCKET.test(bucket)) fail('a bucket of 3 to 63 characters a-z, 0-9, . and -');
  if (!key.isWellFormed() || CONTROL.test(key)) fail('a key of Unicode without control characters');
  if (Buffer.byteLength(key) > 1024) fail('a key of at most 1024 bytes');
  // The URL standard removes these segments before a request is sent, even percent-encoded.
  if (key.split('/').some(isDotSegment)) fail('a key without segments . and ..');
  return { kind: 's3', bucket, key };
}

function fileAddress(url: string, fail: (reason: string) => never): Address {
  const parsed = new URL(url);
  if (parsed.search !== '' || parsed.hash !== '') fail('a file: URL with ? and # as %3F and %23');
  let path = '';
  try {
    path = fileURLToPath(parsed);
  } catch {
    fail('a file: URL without host, with an absolute path and without encoded slashes');
  }
  if (path.includes('\0')) fail('a path without NUL');
  return { kind: 'file', path };
}

function httpAddress(url: string, fail: (reason: string) => never): Address {
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') fail('a URL without user and password');
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    fail('https://, as http:// is read on loopback only');
  if (parsed.hash !== '') fail('a URL without a fragment');
  if ([...parsed.searchParams.keys()].some((name) => SIGNATURES.test(name)))
    fail('a URL without a signature or token in its query, which everybody who reads the queue could use');
  return { kind: 'http', url: parsed };
}

/**
 * Parses the URL of an object: `s3://bucket/key`, `file:///path`, `https://host/path`, and `http://` on loopback.
 * @param name The argument in messages.
 * @throws TypeError if it is not a string, RangeError if it is not such a URL. No message holds a query or a password.
 */
export function addressOf(url: string, name = 'url'): Address {
  if (typeof url !== 'string') throw new TypeError(`"${name}" expected a URL as string, got type=${typeof url}`);
  const fail = (expected: string): never => {
    throw new RangeError(`"${name}" expected ${expected}, got ${JSON.stringify(shown(url).slice(0, 200))}`);
  };
  if (/^s3:\/\//i.test(url)) return s3Address(url, fail);
  if (!URL.canParse(url) || CONTROL.test(url)) fail('a URL of s3:, file: or https:');
  if (/^file:\/\//i.test(url)) return fileAddress(url, fail);
  if (/^https?:\/\//i.test(url)) return httpAddress(url, fail);
  return fail('a URL of s3:, file: or https:');
}

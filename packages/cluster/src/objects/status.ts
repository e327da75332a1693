/** The meaning of the status of a response. */
import {
  NotAllowed,
  ObjectChanged,
  ObjectError,
  ObjectMissing,
  ObjectShort,
  type ObjectErrorDetails,
} from './errors.ts';
import type { Answer } from './request.ts';

/** Statuses after which a client may try again: RFC 9110 §15.5.9, §15.6; RFC 6585 §4. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Codes of S3 that pass, with whichever status they come. Amazon S3 API Reference, "Error responses". */
const TEMPORARY_CODES =
  /^(InternalError|SlowDown|ServiceUnavailable|Busy|RequestTimeout|RequestLimitExceeded|OperationAborted|ConditionalRequestConflict|Throttling.*|BadDigest|IncompleteBody|XAmzContentSHA256Mismatch)$/;

/** Codes that say more than their status, in words. */
const MEANINGS: Readonly<Record<string, string>> = {
  ExpiredToken: 'the credentials have expired',
  InvalidAccessKeyId: 'the access key is not known there',
  InvalidObjectState: 'the object is archived and must be restored first',
  NoSuchBucket: 'there is no such bucket',
  NoSuchUpload: 'the upload is gone: it was aborted or never begun',
  NoSuchVersion: 'there is no such version any more',
  RequestTimeTooSkewed: 'this machine’s clock is wrong',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  // Of versitygw, with 404.
  XAdminUserNotFound: 'the access key is not known there',
};

/** `Retry-After` in milliseconds: seconds or a date, RFC 9110 §10.2.3. */
function waitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** A code as S3 writes it; anything else that a server sent is in no message. */
export const codeOf = (xml: string): string | undefined => /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1];

/** The error for a response that is none of those that were expected. */
export function refusal({ status, headers, request }: Answer, code?: string): ObjectError {
  const url = request.object;
  const temporary = TEMPORARY.has(status) || TEMPORARY_CODES.test(code ?? '');
  const details: ObjectErrorDetails = { status, code, temporary, wait: waitOf(headers['retry-after']) };
  const answered = code === undefined ? `${status}` : `${status} ${code}`;
  const meaning = MEANINGS[code ?? ''];
  const reason = (words: string): string => `${meaning ?? words} (${answered})`;
  if (temporary) return new ObjectError(url, `the store answered ${answered}`, details);
  if (status === 412) return new ObjectChanged(url, details);
  if (status === 416)
    return new ObjectShort(url, reason('the object ends before the range that was asked for'), details);
  if (status === 401 || status === 403 || code === 'XAdminUserNotFound')
    return new NotAllowed(url, reason('the store denies access'), details);
  if (status === 404 || status === 410 || code?.startsWith('NoSuch'))
    return new ObjectMissing(url, reason('there is no such object'), details);
  if (status >= 300 && status < 400)
    return new ObjectError(url, redirection(headers.location, answered, request.url), details);
  return new ObjectError(url, reason('the store refuses'), details);
}

/** Redirects are not followed, because permission was given for one address. The new address may be signed: no query. */
function redirection(location: string | undefined, answered: string, base: URL): string {
  const target = location !== undefined && URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  return `the server redirects (${answered})${target === undefined ? '' : ` to ${target.origin}${target.pathname}`}, which is not followed`;
}

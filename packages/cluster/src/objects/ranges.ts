/** Ranged reads of one version by HTTP, of S3 and of plain servers alike. */
import { ObjectChanged, ObjectError } from './errors.ts';
import type { ObjectVersion } from './object.ts';
import { bytesOf, discard, type Answer } from './request.ts';
import { refusal } from './status.ts';
import { resumed, type Range } from './retry.ts';
import type { Limits } from './settings.ts';

/** @throws TypeError or RangeError if a range is none of the object's. */
export function checkRange(object: ObjectVersion, offset: number, length: number): void {
  if (
    typeof object !== 'object' ||
    object === null ||
    typeof object.url !== 'string' ||
    typeof object.etag !== 'string'
  )
    throw new TypeError('"object" expected a version as look() gives it');
  for (const [name, value] of Object.entries({ 'object.size': object.size, offset, length })) {
    if (typeof value !== 'number') throw new TypeError(`"${name}" expected number, got type=${typeof value}`);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`"${name}" expected integer from 0 to 2^53 - 1, got ${value}`);
  }
  if (offset + length > object.size)
    throw new RangeError(`"length" expected at most ${object.size - offset} at offset ${offset}, got ${length}`);
}

export const rangeHeader = ({ offset, length }: Range): string => `bytes=${offset}-${offset + length - 1}`;

/** Whether a response is the range that was asked for, of the version that was asked for. RFC 9110 §15.3.7. */
function checkPartial(answer: Answer, object: ObjectVersion, { offset, length }: Range): void {
  const { status, headers } = answer;
  const { etag } = headers;
  // Servers that do not know If-Match still say which version this is.
  if ((status === 200 || status === 206) && etag !== undefined && etag !== object.etag)
    throw new ObjectChanged(object.url);
  if (status === 200)
    throw new ObjectError(object.url, 'the server ignores ranges: it sends the whole object', { status });
  if (status !== 206) throw refusal(answer);
  if (etag === undefined) throw new ObjectError(object.url, 'the server sends a range without its ETag', { status });
  const expected = `bytes ${offset}-${offset + length - 1}/`;
  const actual = headers['content-range'] ?? '';
  if (!actual.startsWith(expected))
    throw new ObjectError(object.url, 'the server sends another range than it was asked for', { status });
  const size = actual.slice(expected.length);
  if (size !== '*' && size !== `${object.size}`) throw new ObjectChanged(object.url);
}

/** @param get Asks for a range with If-Match; throws errors that are peculiar to the store. */
export function readRange(
  object: ObjectVersion,
  range: Range,
  limits: Limits,
  signal: AbortSignal | undefined,
  get: (rest: Range) => Promise<Answer>,
): AsyncGenerator<Uint8Array> {
  return resumed(object.url, range, limits, signal, async function* (rest) {
    const answer = await get(rest);
    try {
      checkPartial(answer, object, rest);
    } catch (error) {
      discard(answer);
      throw error;
    }
    yield* bytesOf(answer);
  });
}

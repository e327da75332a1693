/** Answers to requests for ranges of a file whose plaintext is decrypted on the way (RFC 9110 §14). */

/** How much is decrypted at a time: whole chunks of the format. */
const PIECE = 262_144;

/**
 * The bytes that a `Range` header asks for.
 *
 * @param {string | null} header - The value of the header; null if there is none.
 * @param {number} size - Of the file, in bytes.
 * @returns {[from: number, to: number] | 'all' | 'none'} The range, without the byte at `to`; 'all' if there is no header, or one to be
 * ignored: of another unit, malformed, or of several ranges, which a server need not give; 'none' if the file has no such bytes.
 */
export function rangeOf(header, size) {
  const parts = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  if (!parts || (!parts[1] && !parts[2])) return 'all';
  const [first, last] = [Number(parts[1]), Number(parts[2])];
  if (!parts[1]) {
    // The last bytes of the file, as many as it has.
    if (last === 0 || size === 0) return 'none';
    return [Math.max(0, size - last), size];
  }
  if (parts[2] && last < first) return 'all';
  if (first >= size) return 'none';
  return [first, parts[2] ? Math.min(last + 1, size) : size];
}

/** The plaintext from `from` to `to`, decrypted as fast as it is read. */
function streamOf(file, from, to, onError) {
  const controller = new AbortController();
  let at = from;
  return new ReadableStream({
    async pull(stream) {
      if (at < to) {
        const end = Math.min(to, (Math.floor(at / PIECE) + 1) * PIECE);
        try {
          stream.enqueue(await file.read(at, end, { signal: controller.signal }));
        } catch (error) {
          if (!controller.signal.aborted) onError(error);
          throw error;
        }
        at = end;
      }
      if (at === to) stream.close();
    },
    cancel(reason) {
      controller.abort(reason);
    },
  });
}

/**
 * The response to a request for a file.
 *
 * @param {Request} request - A GET or HEAD request, with a range or without.
 * @param {import('lanewise/stream.js').Reader} file - The decrypted file.
 * @param {string} type - Its media type.
 * @param {(error: unknown) => void} onError - Called if a part of the file can't be read, when the response has already begun.
 * @returns {Response} 206 with a range of the plaintext, 200 with all of it, or 416.
 */
export function answer(request, file, type, onError) {
  const { size } = file;
  // A condition names a version, and there is no name of this one: so it does not hold, and the range is ignored (§13.1.5).
  const range = rangeOf(request.headers.has('if-range') ? null : request.headers.get('range'), size);
  const headers = new Headers({ 'accept-ranges': 'bytes', 'cache-control': 'no-store' });
  if (range === 'none') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const [from, to] = range === 'all' ? [0, size] : range;
  headers.set('content-type', type);
  headers.set('content-length', `${to - from}`);
  if (range !== 'all') headers.set('content-range', `bytes ${from}-${to - 1}/${size}`);
  const body = request.method === 'HEAD' ? null : streamOf(file, from, to, onError);
  return new Response(body, { status: range === 'all' ? 200 : 206, headers });
}

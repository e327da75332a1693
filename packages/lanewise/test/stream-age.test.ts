/** The payloads of the age files of C2SP's CCTV: the plaintext that is released of each, also of those that are wrong. */
// Runs in Node only: inflates, and derives keys by node:crypto.
import * as cctv from 'cctv-age';
import { createHash, hkdfSync } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { agePayload } from '../src/stream.ts';
import { concat, unhex } from './support/bytes.ts';
import { onEachEngine } from './support/engines.ts';
import { cut, released, through } from './support/stream.ts';

interface Vector {
  readonly name: string;
  readonly expect: string;
  readonly sha256: string;
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
}

/** The body of an armored file. */
function unarmored(text: string): Buffer {
  const [, body] = /-----BEGIN AGE ENCRYPTED FILE-----([^-]*)-----END AGE ENCRYPTED FILE-----/.exec(text)!;
  return Buffer.from(body, 'base64');
}

function vectorOf(name: string, file: Uint8Array): Vector | undefined {
  const all = Buffer.from(file);
  const at = all.indexOf('\n\n');
  const fields = new Map(
    all
      .subarray(0, at)
      .toString()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const what = fields.get('expect')!;
  if (what !== 'success' && what !== 'payload failure') return undefined;
  let body: Buffer = all.subarray(at + 2);
  if (fields.get('compressed') === 'zlib') body = inflateSync(body);
  if (fields.get('armored') === 'yes') body = unarmored(body.toString());
  const mac = body.indexOf('\n--- ');
  const start = body.indexOf('\n', mac + 1) + 1;
  const salt = body.subarray(start, start + 16);
  return {
    name,
    expect: what,
    // The hash of no bytes if the file ends within the salt.
    sha256: fields.get('payload')!,
    key: new Uint8Array(hkdfSync('sha256', unhex(fields.get('file key')!), salt, 'payload', 32)),
    payload: body.subarray(start + 16),
  };
}

const files = Object.fromEntries(Object.entries(cctv).filter(([name]) => name !== 'default')) as Record<
  string,
  Uint8Array
>;
const vectors = Object.entries(files).flatMap(([name, file]) => vectorOf(name, file) ?? []);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

it('are all there', () => {
  expect(Object.keys(files)).toHaveLength(143);
  expect(vectors.filter((vector) => vector.expect === 'success')).toHaveLength(26);
  expect(vectors.filter((vector) => vector.expect === 'payload failure')).toHaveLength(19);
});

onEachEngine((engine) => {
  describe.each(vectors)('$name', ({ expect: what, sha256, key, payload }) => {
    const long = payload.length > 2e6;
    const chunkings = long
      ? engine === 'simd'
        ? [[65_552 * 16], [100_003]]
        : [[1e9]]
      : [[1e9], [65_552], [65_536], [65_553, 0, 1, 15, 16, 17, 70_000], ...(payload.length < 1000 ? [[1]] : [])];
    it.each(chunkings)(`${what}, in pieces of %i …`, (...lengths) => {
      const { plaintext, error } = released(agePayload.opener(key), cut(payload, lengths));
      expect(digest(plaintext)).toBe(sha256);
      expect(error === '').toBe(what === 'success');
    });
    if (what === 'success')
      it('is what the plaintext encrypts to', () => {
        const { plaintext } = released(agePayload.opener(key), [payload]);
        expect(agePayload.ciphertextSize(plaintext.length)).toBe(payload.length);
        expect(agePayload.plaintextSize(payload.length)).toBe(plaintext.length);
        const sealed = through(agePayload.sealer(key), cut(plaintext, [65_536, 1, 200_000]));
        expect(Buffer.compare(concat(sealed), payload)).toBe(0);
      });
  });
});

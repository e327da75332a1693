/** The payloads of the age files of C2SP's CCTV: the plaintext that is released of each, also of those that are wrong. */
import * as cctv from 'cctv-age';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { agePayload, type AgePayload } from '../../src/stream.ts';
import { expectBytes, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { Random } from '../support/interleaved/random.ts';
import { cut, released, through } from '../support/stream.ts';

interface Payload {
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
  /** All that is released, once its hash was compared with that of the vector. */
  plaintext?: Uint8Array;
}

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The body of an armored file. */
function unarmored(file: Uint8Array): Uint8Array {
  const [, body] = /-----BEGIN AGE ENCRYPTED FILE-----([^-]*)-----END AGE ENCRYPTED FILE-----/.exec(latin1(file))!;
  return Buffer.from(body.replace(/\s/g, ''), 'base64');
}

/** A vector: fields, an empty line, and the file, whose payload is decompressed when it is asked for. */
class Vector {
  readonly name: string;
  readonly #file: Uint8Array;
  readonly #fields: ReadonlyMap<string, string>;
  #payload: Promise<Payload> | undefined;

  constructor(name: string, file: Uint8Array) {
    this.name = name;
    const at = latin1(file.subarray(0, 2000)).indexOf('\n\n');
    const lines = latin1(file.subarray(0, at)).split('\n');
    this.#fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    this.#file = file.subarray(at + 2);
  }

  get what(): string {
    return this.#fields.get('expect')!;
  }
  /** Of all that is released; of no bytes if the file ends within the salt. */
  get sha256(): string {
    return this.#fields.get('payload')!;
  }
  get payload(): Promise<Payload> {
    return (this.#payload ??= this.#read());
  }

  async #read(): Promise<Payload> {
    let body: Uint8Array = this.#file;
    if (this.#fields.get('compressed') === 'zlib') body = await inflated(new Uint8Array(body));
    if (this.#fields.get('armored') === 'yes') body = unarmored(body);
    const header = latin1(body.subarray(0, 20_000));
    const start = header.indexOf('\n', header.indexOf('\n--- ') + 1) + 1;
    const salt = body.subarray(start, start + 16);
    return {
      key: hkdf(sha256, unhex(this.#fields.get('file key')!), salt, new TextEncoder().encode('payload'), 32),
      payload: body.subarray(start + 16),
    };
  }
}

const files = Object.fromEntries(Object.entries(cctv).filter(([name]) => name !== 'default')) as Record<
  string,
  Uint8Array
>;
const vectors = Object.entries(files)
  .map(([name, file]) => new Vector(name, file))
  // The others end with their headers.
  .filter(({ what }) => what === 'success' || what === 'payload failure');

it('are all there', () => {
  expect(Object.keys(files)).toHaveLength(143);
  expect(vectors.filter(({ what }) => what === 'success')).toHaveLength(26);
  expect(vectors.filter(({ what }) => what === 'payload failure')).toHaveLength(19);
});

const LONG = 2e6;
const EDGES = [16, 65_536, 65_552, 131_104];
const random = new Random(Date.now());

/** Lengths of pieces, over and over: chosen ones, and random ones. */
function chunkings(length: number, engine: string): number[][] {
  const any = Array.from({ length: 20 }, () => random.length(length > LONG ? 300_000 : 140_000, EDGES)).concat(1000);
  if (length > LONG) return engine === 'simd' ? [[65_552 * 16], [100_003], any] : [any];
  const all = [[1e9], [65_552], [65_536], [65_553, 0, 1, 15, 16, 17, 70_000], any];
  return length < 1000 ? [...all, [1]] : all;
}

/** The calls that encrypt a stream. */
const SEALS: Readonly<Record<string, (payload: AgePayload) => unknown>> = {
  encrypt: (payload) => payload.encrypt(Uint8Array.of(1)),
  encryptor: (payload) => payload.encryptor(),
  sealer: (payload) => payload.sealer(),
};

it.each(Object.keys(SEALS).flatMap((first) => Object.keys(SEALS).map((second) => [first, second] as const)))(
  'a key encrypts one stream: %s, then %s',
  (first, second) => {
    const payload = agePayload(new Uint8Array(32));
    SEALS[first](payload);
    expect(() => SEALS[second](payload)).toThrow(
      'cannot encrypt twice with same key: make another object with a fresh key',
    );
    // It still decrypts.
    expect(payload.opener()).toBeDefined();
  },
);

onEachEngine((engine) => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const its = await vector.payload;
    for (const lengths of chunkings(its.payload.length, engine)) {
      const { plaintext, error } = released(agePayload(its.key).opener(), cut(its.payload, lengths));
      const pieces = `pieces of ${lengths.join()}`;
      if (its.plaintext) expectBytes(plaintext, its.plaintext, pieces);
      else {
        expect(createHash('sha256').update(plaintext).digest('hex'), pieces).toBe(vector.sha256);
        its.plaintext = plaintext;
      }
      expect(error === '', pieces).toBe(vector.what === 'success');
    }
    if (vector.what !== 'success') return;
    const plaintext = its.plaintext!;
    expect(agePayload.ciphertextSize(plaintext.length)).toBe(its.payload.length);
    expect(agePayload.plaintextSize(its.payload.length)).toBe(plaintext.length);
    expectBytes(through(agePayload(its.key).sealer(), cut(plaintext, [65_536, 1, 200_000])), its.payload, 'sealed');
  });
});

it('has parts of a stream, which several objects encrypt and decrypt', () => {
  const CHUNK = agePayload.chunkLength;
  const key = new Uint8Array(32).fill(5);
  const plaintext = Uint8Array.from({ length: 3 * CHUNK + 7 }, (_, i) => i % 251);
  const whole = agePayload(key).sealer();
  const expected = [whole.push(plaintext), whole.end()].flatMap((bytes) => [...bytes]);
  const parts = [
    { firstChunk: 0, isLast: false, from: 0, to: 2 * CHUNK },
    { firstChunk: 2, isLast: false, from: 2 * CHUNK, to: 2 * CHUNK },
    { firstChunk: 2, isLast: true, from: 2 * CHUNK, to: plaintext.length },
  ];
  const sealed = parts.map(({ from, to, ...part }) => {
    const sealer = agePayload(key).sealer(part);
    return [sealer.push(plaintext.subarray(from, to)), sealer.end()].flatMap((bytes) => [...bytes]);
  });
  expect(sealed.flat()).toEqual(expected);
  parts.forEach(({ from, to, ...part }, i) => {
    const opener = agePayload(key).opener(part);
    const opened = [opener.push(Uint8Array.from(sealed[i])), opener.end()].flatMap((bytes) => [...bytes]);
    expect(opened).toEqual([...plaintext.subarray(from, to)]);
  });
  // A part is neither that of another place nor the end of a stream, nor the other way round.
  for (const part of [{ firstChunk: 1, isLast: false }, { isLast: true }]) {
    const opener = agePayload(key).opener(part);
    expect(() => [opener.push(Uint8Array.from(sealed[0])), opener.end()]).toThrow(/not authentic|truncated/);
  }
  const end = agePayload(key).opener({ firstChunk: 2, isLast: false });
  end.push(Uint8Array.from(sealed[2]));
  expect(() => end.end()).toThrow("a part that isn't the last expected whole chunks, got 23 bytes more");
  const sealer = agePayload(key).sealer({ isLast: false });
  sealer.push(plaintext.subarray(0, 5));
  expect(() => sealer.end()).toThrow("a part that isn't the last expected whole chunks, got 5 bytes more");
  expect(() => agePayload(key).opener({ firstChunk: -1 })).toThrow('"firstChunk" expected integer from 0 up, got -1');
  expect(() => agePayload(key).sealer({ isLast: 1 as never })).toThrow('"isLast" expected boolean, got type=number');
});

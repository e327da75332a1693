/** Properties of ChaCha, its AEADs and Poly1305. */
import fc from 'fast-check';
import * as chacha from '../../../src/chacha.ts';
import { poly1305 } from '../../../src/poly1305.ts';
import { select } from '../../../src/engine.ts';
import { concat, expectBytes, refusal, sample } from '../../support/bytes.ts';
import { engines } from '../../support/engines.ts';
import * as oracles from '../../support/oracles.ts';
import {
  expectCall,
  lengths,
  onAllEngines,
  places,
  property,
  seeds,
  type Place,
  type Property,
} from '../../support/properties.ts';
import { streamNames } from '../../support/stream-names.ts';

interface RawCase {
  readonly name: (typeof streamNames)[number];
  readonly seed: number;
  readonly shortKey: boolean;
  readonly length: number;
  /** Blocks from the start, or before the last. */
  readonly counter: { readonly from: 'start' | 'end'; readonly blocks: bigint };
  readonly place: Place;
}

const counters = fc.record({
  from: fc.constantFrom('start' as const, 'start' as const, 'end' as const),
  blocks: fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 2n ** 32n - 40n, max: 2n ** 32n - 1n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }) },
  ),
});
const rawCases: fc.Arbitrary<RawCase> = fc.record({
  name: fc.constantFrom(...streamNames),
  seed: seeds,
  shortKey: fc.boolean(),
  length: lengths(),
  counter: counters,
  place: places,
});

interface Raw {
  readonly cipher: chacha.StreamCipher;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly counter: bigint;
  /** How many blocks there are from the counter to its end. */
  readonly left: bigint;
  readonly keystream: (counter: bigint, length: number) => Uint8Array;
}

function rawOf({ name, seed, shortKey, counter }: RawCase): Raw {
  const cipher = chacha[name];
  const key = sample(name.endsWith('orig') && shortKey ? 16 : 32, seed);
  const nonce = sample(cipher.nonceLength, seed + 1);
  const end = cipher.nonceLength === 12 ? 2n ** 32n : 2n ** 64n;
  const first = counter.from === 'start' ? counter.blocks : end - 1n - counter.blocks;
  const rounds = Number(/\d+/.exec(name));
  const keystream = (from: bigint, length: number): Uint8Array =>
    oracles.keystream(key, nonce, rounds as 8 | 12 | 20, from, length);
  return { cipher, key, nonce, counter: first, left: end - first, keystream };
}

const xor = (data: Uint8Array, keystream: Uint8Array): Uint8Array => data.map((byte, i) => byte ^ keystream[i]);
const blocksOf = (length: number): bigint => BigInt(Math.ceil(length / 64));

const raw = property('a raw cipher gives what others give, wherever out is, up to its counter', 26, rawCases, (c) => {
  const { cipher, key, nonce, counter, left, keystream } = rawOf(c);
  const data = sample(c.length, c.seed + 2);
  const blocks = blocksOf(c.length);
  const expected =
    blocks > left
      ? `RangeError: "data" expected at most ${left} blocks of 64 bytes up to the counter's end, got ${blocks}`
      : xor(data, keystream(counter, c.length));
  onAllEngines((engine) => {
    expectCall(`${engine} ${c.name}`, c.place, data, c.length, expected, (input, out) =>
      cipher(key, nonce, input, out as Uint8Array, counter),
    );
  });
});

type Step =
  | { readonly kind: 'update'; readonly length: number; readonly place: Place }
  | { readonly kind: 'seek'; readonly block: bigint; readonly skip: number }
  | { readonly kind: 'engine'; readonly engine: (typeof engines)[number] };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('update' as const), length: lengths(2100), place: places }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('seek' as const),
        block: fc.bigInt({ min: 0n, max: 45n }),
        skip: fc.integer({ min: 0, max: 63 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('engine' as const), engine: fc.constantFrom(...engines) }) },
  ),
  { minLength: 1, maxLength: 8 },
);

const streams = property(
  'a stream gives each byte of the keystream, cut, sought and on changing engines',
  12,
  fc.tuple(rawCases, steps),
  ([c, list]) => {
    const { cipher, key, nonce, counter, left, keystream } = rawOf(c);
    const stream = cipher.stream(key, nonce, counter);
    const end = left * 64n;
    let position = 0n;
    list.forEach((step, i) => {
      const what = `${c.name}, step ${i} (${step.kind}) at ${position}`;
      if (step.kind === 'engine') select(step.engine);
      else if (step.kind === 'seek') {
        const target = step.block * 64n + BigInt(step.skip);
        if (target > end) {
          const error = refusal(() => stream.seek(target));
          if (!error.startsWith('RangeError: "position" expected')) throw new Error(`${what}: ${error}`);
          return;
        }
        stream.seek(target);
        position = target;
      } else {
        const data = sample(step.length, c.seed + i);
        const skip = Number(position % 64n);
        const blocks = BigInt(Math.ceil((skip + step.length) / 64));
        const blocksLeft = left - position / 64n;
        // At the end of the counter there is no next block, and an empty message needs none.
        const refused = blocks > blocksLeft;
        const expected = refused
          ? `RangeError: "data" expected at most ${blocksLeft} blocks of 64 bytes up to the counter's end, got ${blocks}`
          : xor(data, step.length ? keystream(counter + position / 64n, skip + step.length).subarray(skip) : data);
        expectCall(what, step.place, data, step.length, expected, (input, out) =>
          stream.update(input, out as Uint8Array),
        );
        if (!refused) position += BigInt(step.length);
      }
    });
  },
);

const aeadCases = fc.record({
  nonceLength: fc.constantFrom(12 as const, 24 as const),
  seed: seeds,
  length: lengths(),
  aadLength: fc.oneof(fc.constant(0), lengths(2100)),
  place: places,
});
type AeadCase = typeof aeadCases extends fc.Arbitrary<infer T> ? T : never;

function sealedOf({ nonceLength, seed, length, aadLength }: AeadCase) {
  const [key, nonce, aad] = [sample(32, seed), sample(nonceLength, seed + 1), sample(aadLength, seed + 2)];
  const plaintext = sample(length, seed + 3);
  const sealed = oracles.seal(key, nonce, aad, plaintext);
  const make = (): chacha.Aead =>
    (nonceLength === 12 ? chacha.chacha20poly1305 : chacha.xchacha20poly1305)(key, nonce, aad);
  return { make, plaintext, sealed, ciphertext: sealed.subarray(0, length), tag: sealed.subarray(length) };
}

const aead = property('an AEAD gives what others give, and back, wherever out is', 22, aeadCases, (c) => {
  const { make, plaintext, sealed, ciphertext, tag } = sealedOf(c);
  const { place, length } = c;
  onAllEngines((engine) => {
    expectCall(`${engine} encrypt`, place, plaintext, length + 16, sealed, (input, out) =>
      make().encrypt(input, out as Uint8Array),
    );
    expectCall(`${engine} decrypt`, place, sealed, length, plaintext, (input, out) =>
      make().decrypt(input, out as Uint8Array),
    );
    expectCall(`${engine} encryptDetached`, place, plaintext, length, ciphertext, (input, out) => {
      const made = make().encryptDetached(input, out as Uint8Array);
      expectBytes(made.tag, tag, `${engine} the tag`);
      return made.ciphertext;
    });
    expectCall(`${engine} decryptDetached`, place, ciphertext, length, plaintext, (input, out) =>
      make().decryptDetached(input, tag, out as Uint8Array),
    );
  });
});

const forgeries = property(
  'a forgery is refused, and writes nothing',
  12,
  fc.tuple(aeadCases, fc.nat(), fc.integer({ min: 0, max: 7 })),
  ([c, byte, bit]) => {
    const { make, sealed } = sealedOf(c);
    const forged = sealed.slice();
    forged[byte % forged.length] ^= 1 << bit;
    const [ciphertext, tag] = [forged.subarray(0, c.length), forged.subarray(c.length)];
    onAllEngines((engine) => {
      const error = 'Error: invalid tag';
      expectCall(`${engine} decrypt`, c.place, forged, c.length, error, (input, out) =>
        make().decrypt(input, out as Uint8Array),
      );
      expectCall(`${engine} decryptDetached`, c.place, ciphertext, c.length, error, (input, out) =>
        make().decryptDetached(input, tag, out as Uint8Array),
      );
    });
  },
);

const managed = property('managedNonce puts the nonce in front, wherever out is', 6, aeadCases, (c) => {
  const long = { ...c, nonceLength: 24 as const };
  const { plaintext, sealed } = sealedOf(long);
  const [key, nonce, aad] = [sample(32, c.seed), sample(24, c.seed + 1), sample(c.aadLength, c.seed + 2)];
  const boxed = concat(nonce, sealed);
  onAllEngines((engine) => {
    const box = chacha.managedNonce(chacha.xchacha20poly1305, () => nonce.slice())(key, aad);
    expectCall(`${engine} encrypt`, c.place, plaintext, boxed.length, boxed, (input, out) =>
      box.encrypt(input, out as Uint8Array),
    );
    expectCall(`${engine} decrypt`, c.place, boxed, c.length, plaintext, (input, out) =>
      box.decrypt(input, out as Uint8Array),
    );
  });
});

const macs = property(
  'Poly1305 of any pieces is that of the whole, with keys and messages at the edges of its arithmetic',
  12,
  fc.record({
    seed: seeds,
    length: lengths(70_000),
    extreme: fc.constantFrom('no', 'key', 'message', 'both'),
    byte: fc.constantFrom(0, 0xff, 0xfb, 0xfc),
    cuts: fc.array(fc.nat(), { maxLength: 6 }),
    offset: fc.integer({ min: 0, max: 15 }),
  }),
  ({ seed, length, extreme, byte, cuts, offset }) => {
    const key = sample(32, seed);
    const message = new Uint8Array(length + offset).subarray(offset);
    message.set(sample(length, seed + 1));
    if (extreme === 'key' || extreme === 'both') key.fill(byte, 0, 16);
    if (extreme === 'message' || extreme === 'both') message.fill(byte);
    const expected = oracles.poly1305(message, key);
    const at = [0, ...cuts.map((cut) => cut % (length + 1)).sort((a, b) => a - b), length];
    onAllEngines((engine) => {
      expectBytes(poly1305(message, key), expected, `${engine} one call`);
      const mac = poly1305.create(key);
      for (let i = 1; i < at.length; i++) mac.update(message.subarray(at[i - 1], at[i]));
      expectBytes(mac.digest(), expected, `${engine} in pieces`);
    });
  },
);

export const properties: readonly Property[] = [raw, streams, aead, forgeries, managed, macs];

/** How many cases the tests draw; `npm run fuzz` draws as many as there is time for. */
export const CASES = 60_000;

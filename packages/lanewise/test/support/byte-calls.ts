/** Every public call that gives bytes to a kernel, as one table: objects are made, used and ended within the call. */
import { blake3, hashMany, root, rootXof, subtree } from '../../src/blake3.ts';
import * as chacha from '../../src/chacha.ts';
import { adiantum, authenticatedPages, hpolyc } from '../../src/disk.ts';
import nacl from '../../src/nacl.ts';
import { poly1305 } from '../../src/poly1305.ts';
import * as salsa from '../../src/salsa.ts';
import * as serpent from '../../src/serpent.ts';
import { concat, sample } from './bytes.ts';

/** What the caller hands over in place of an argument. */
export type Given = (bytes: Uint8Array) => Uint8Array;

export interface Call {
  readonly title: string;
  /** Calls, with each argument that is bytes passed through `given`, in order; what came out, one behind the other. */
  readonly run: (given: Given) => Uint8Array;
}

export const key = sample(32, 301);
export const shortKey = sample(16, 302);
export const nonce = sample(24, 303);
export const aad = sample(40, 304);
const iv = sample(16, 305);
const n12 = nonce.subarray(0, 12);
const n8 = nonce.subarray(0, 8);

/** The first takes a kernel for short messages, the last is more than any stage holds. */
export const LENGTHS = [10, 100, 130_000];
export const messageOf = (length: number): Uint8Array<ArrayBuffer> => sample(length, 306);

const room = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);

/** What a call makes of a message is made once: another call takes it back. */
const made = new Map<string, Uint8Array>();
function once(title: string, make: () => Uint8Array): Uint8Array {
  const known = made.get(title);
  if (known) return known;
  const bytes = make();
  made.set(title, bytes);
  return bytes;
}

/** The raw ciphers: at once, and in two pieces of a stream. */
const raw =
  (title: string, cipher: chacha.StreamCipher, itsKey: Uint8Array, itsNonce: Uint8Array) =>
  (length: number): Call[] => [
    {
      title: `${title}()`,
      run: (given) => cipher(given(itsKey), given(itsNonce), given(messageOf(length)), given(room(length))),
    },
    {
      title: `${title}.stream()`,
      run(given) {
        const stream = cipher.stream(given(itsKey), given(itsNonce));
        return concat(
          stream.update(given(messageOf(length))),
          stream.update(given(messageOf(length)), given(room(length))),
        );
      },
    },
  ];

interface Box {
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array;
}

/** What encrypts and decrypts; `more` bytes are added to a message, and `left` of them are wanted as room for it. */
const box =
  (title: string, make: (given: Given) => Box, more: number, left = 0) =>
  (length: number): Call[] => {
    const sealed = (): Uint8Array =>
      once(`${title} ${length}`, () => make((bytes) => bytes).encrypt(messageOf(length)));
    return [
      { title: `${title}.encrypt()`, run: (given) => make(given).encrypt(given(messageOf(length))) },
      {
        title: `${title}.encrypt() into out`,
        run: (given) => make(given).encrypt(given(messageOf(length)), given(room(length + more))),
      },
      { title: `${title}.decrypt()`, run: (given) => make(given).decrypt(given(sealed())) },
      {
        title: `${title}.decrypt() into out`,
        run: (given) => make(given).decrypt(given(sealed()), given(room(length + left))),
      },
    ];
  };

const detached =
  (title: string, make: (given: Given) => chacha.Aead, tagFirst = false) =>
  (length: number): Call[] => {
    const sealed = (): Uint8Array =>
      once(`${title} ${length}`, () => make((bytes) => bytes).encrypt(messageOf(length)));
    return [
      {
        title: `${title}.encryptDetached()`,
        run(given) {
          const { ciphertext, tag } = make(given).encryptDetached(given(messageOf(length)), given(room(length)));
          return concat(ciphertext.subarray(0, length), tag);
        },
      },
      {
        title: `${title}.decryptDetached()`,
        run: (given) =>
          make(given).decryptDetached(
            given(tagFirst ? sealed().slice(16) : sealed().slice(0, length)),
            given(tagFirst ? sealed().slice(0, 16) : sealed().slice(length)),
            given(room(length)),
          ),
      },
    ];
  };

const padding = (length: number): number => 16 - (length % 16);
const paddedBox =
  (title: string, make: (given: Given) => Box) =>
  (length: number): Call[] =>
    box(title, make, padding(length), padding(length))(length);

const aead = (given: Given): chacha.Aead => chacha.xchacha20poly1305(given(key), given(nonce), given(aad));
const longAad = sample(2000, 307);
const aeadWithMore = (given: Given): chacha.Aead => chacha.chacha20poly1305(given(key), given(n12), given(longAad));
const ocb = (given: Given): serpent.Aead => serpent.ocb(given(shortKey), given(n12), given(aad));

const hashes = (length: number): Call[] => [
  { title: 'blake3()', run: (given) => blake3(given(messageOf(length))) },
  { title: 'blake3() with a key', run: (given) => blake3(given(messageOf(length)), { key: given(key) }) },
  {
    title: 'blake3() with a context',
    run: (given) => blake3(given(messageOf(length)), { context: given(aad), dkLen: 100 }),
  },
  {
    title: 'blake3.create()',
    run: (given) =>
      blake3
        .create({ key: given(key) })
        .update(given(messageOf(length)))
        .update(given(messageOf(length)))
        .xofInto(given(room(200))),
  },
  {
    title: 'hashMany()',
    run: (given) =>
      concat(
        ...hashMany(
          [...[1, 2, 3, 4, 5].map((seed) => sample(length, seed)), messageOf(length), sample(length, 7)].map(
            (each, i) => (i === 5 ? given(each) : each),
          ),
        ),
      ),
  },
  {
    title: 'subtree()',
    run(given) {
      const left = subtree(given(sample(2048, 308)), { offset: 0, key: given(key) });
      const right = subtree(given(messageOf(length).subarray(0, 2000)), { offset: 2048, key });
      return concat(root(left, right), rootXof(left, right).xof(100));
    },
  },
  {
    title: 'poly1305()',
    run: (given) => poly1305(given(messageOf(length)), given(key)),
  },
  {
    title: 'poly1305.create()',
    run(given) {
      const tag = given(room(16));
      poly1305
        .create(given(key))
        .update(given(messageOf(length)))
        .update(given(messageOf(length)))
        .digestInto(tag);
      return tag;
    },
  },
];

const pages =
  (title: string, make: (given: Given) => ReturnType<typeof adiantum>) =>
  (length: number): Call[] => {
    const tweak = sample(21, 309);
    const sealed = (): Uint8Array =>
      once(`${title} ${length}`, () => make((bytes) => bytes).encrypt(messageOf(length), tweak));
    const many = (): Uint8Array => sample(5 * 512, 310);
    return length < 16
      ? []
      : [
          {
            title: `${title}.encrypt()`,
            run: (given) => make(given).encrypt(given(messageOf(length)), given(tweak), given(room(length))),
          },
          {
            title: `${title}.decrypt()`,
            run: (given) => make(given).decrypt(given(sealed()), given(tweak), given(room(length))),
          },
          ...(length > 2000
            ? []
            : [
                {
                  title: `${title}.encryptPages()`,
                  run: (given: Given) =>
                    make(given)
                      .encryptPages(given(many()), { pageSize: 512, tweak: { fscrypt: given(iv) } })
                      .slice(0, 5 * 512),
                },
                {
                  title: `${title}.decryptPages() with a function`,
                  run: (given: Given) => {
                    const tweaks = [0, 1, 2, 3, 4].map((i) => given(sample(9, i + 1)));
                    return make(given)
                      .decryptPages(given(many()), { pageSize: 512, tweak: (page) => tweaks[Number(page)] })
                      .slice(0, 5 * 512);
                  },
                },
              ]),
        ];
  };

const families: readonly ((length: number) => Call[])[] = [
  raw('chacha20', chacha.chacha20, key, n12),
  raw('chacha20orig with a short key', chacha.chacha20orig, shortKey, n8),
  raw('xchacha20', chacha.xchacha20, key, nonce),
  raw('salsa20 with a short key', salsa.salsa20, shortKey, n8),
  raw('xsalsa20', salsa.xsalsa20, key, nonce),
  box('xchacha20poly1305', aead, 16),
  detached('xchacha20poly1305', aead),
  detached('chacha20poly1305 with more AAD than one call takes', aeadWithMore),
  box(
    'managedNonce',
    (given) => chacha.managedNonce(chacha.xchacha20poly1305, () => given(nonce))(given(key), given(aad)),
    40,
  ),
  box('secretbox', (given) => salsa.secretbox(given(key), given(nonce)), 16),
  detached('secretbox', (given) => salsa.secretbox(given(key), given(nonce)), true),
  box('secretbox_xchacha20poly1305', (given) => salsa.secretbox_xchacha20poly1305(given(key), given(nonce)), 16),
  (length) => [
    { title: 'nacl.secretbox()', run: (given) => nacl.secretbox(given(messageOf(length)), given(nonce), given(key)) },
    {
      title: 'nacl.secretbox.open()',
      run: (given) =>
        nacl.secretbox.open(
          given(once(`nacl ${length}`, () => nacl.secretbox(messageOf(length), nonce, key))),
          given(nonce),
          given(key),
        ) ?? room(0),
    },
  ],
  box('ocb', ocb, 16),
  detached('ocb', ocb),
  box('ctr', (given) => serpent.ctr(given(shortKey), given(iv)), 0),
  paddedBox('cbc', (given) => serpent.cbc(given(shortKey), given(iv))),
  paddedBox('ecb', (given) => serpent.ecb(given(shortKey))),
  (length) => [
    {
      title: 'cbc.encryptMany()',
      run: (given) =>
        concat(
          ...serpent.cbc.encryptMany(
            given(shortKey),
            [given(iv), sample(16, 6), sample(16, 7)],
            [sample(length, 1), given(messageOf(length)), sample(length, 2)],
          ),
        ),
    },
  ],
  hashes,
  pages('adiantum', (given) => adiantum(given(key))),
  pages('hpolyc', (given) => hpolyc(given(key), { rounds: 8 })),
  (length) => {
    const page = sample(length + 40, 311);
    const make = (given: Given): ReturnType<typeof authenticatedPages> =>
      authenticatedPages(chacha.xchacha20poly1305, given(key));
    const sealed = (): Uint8Array => once(`authenticated ${length}`, () => make((bytes) => bytes).encrypt(page, 3));
    return [
      {
        title: 'authenticatedPages.encrypt() and back',
        run: (given) => {
          const it = make(given);
          return it.decrypt(it.encrypt(given(page), 3, given(room(length + 40))), 3);
        },
      },
      {
        title: 'authenticatedPages.decrypt()',
        run: (given) => make(given).decrypt(given(sealed()), 3, given(room(length + 40))),
      },
    ];
  },
];

/** The calls around a message of so many bytes. */
export const callsOf = (length: number): Call[] => families.flatMap((family) => family(length));

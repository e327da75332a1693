/** Salsa20, and secretbox (XSalsa20-Poly1305): sealing and opening. */
import { unhex } from '../../client/bytes.ts';
import type { Aead, MakeXor } from '../../client/contestants/contestant.ts';
import { library, noble, ours } from '../../client/entrants.ts';
import { allocated, synchronous, workBy, type Entrant, type Operation } from '../../client/operation.ts';

/** Binds a library to the key and the nonce of a message. */
type Make<T> = (key: Uint8Array, nonce: Uint8Array) => T;
/** The primitive in every library that has it, loaded when it is needed. */
interface Family<T> {
  readonly lanewise: (salsa: typeof import('lanewise/salsa.js')) => Make<T>;
  readonly noble: (salsa: typeof import('@noble/ciphers/salsa.js')) => Make<T>;
  readonly 'libsodium.js'?: (sodium: (typeof import('libsodium-wrappers-sumo'))['default']) => Make<T>;
  readonly tweetnacl: (nacl: typeof import('tweetnacl')) => Make<T>;
}

/** TweetNaCl.js exports the function without declaring it. */
interface LowLevel {
  readonly lowlevel: {
    crypto_stream_salsa20_xor(
      out: Uint8Array,
      outAt: number,
      data: Uint8Array,
      dataAt: number,
      length: number,
      nonce: Uint8Array,
      key: Uint8Array,
    ): number;
  };
}

const xor: Family<ReturnType<MakeXor>>['lanewise'] & Family<ReturnType<MakeXor>>['noble'] =
  ({ salsa20 }) =>
  (key, nonce) =>
  (data, out) =>
    salsa20(key, nonce, data, out);

/** libsodium.js contains Salsa20, but exports only the parts of XSalsa20. */
const streams: Family<ReturnType<MakeXor>> = {
  lanewise: xor,
  noble: xor,
  tweetnacl: (nacl) => (key, nonce) => (data, out) => {
    const { lowlevel } = nacl as unknown as LowLevel;
    lowlevel.crypto_stream_salsa20_xor(out, 0, data, 0, data.length, nonce, key);
    return out;
  },
};

/**
 * Libraries that take an output buffer are given one, except noble, whose buffer would have to be longer than its
 * output.
 */
const boxes: Family<Aead> = {
  lanewise:
    ({ secretbox }) =>
    (key, nonce) => ({
      seal: (plaintext, out) => secretbox(key, nonce).seal(plaintext, out),
      open: (box, out) => secretbox(key, nonce).open(box, out),
    }),
  noble:
    ({ secretbox }) =>
    (key, nonce) => ({
      seal: (plaintext) => secretbox(key, nonce).seal(plaintext),
      open: (box) => secretbox(key, nonce).open(box),
    }),
  'libsodium.js': (sodium) => (key, nonce) => ({
    seal: (plaintext) => sodium.crypto_secretbox_easy(plaintext, nonce, key, 'uint8array'),
    open: (box) => sodium.crypto_secretbox_open_easy(box, nonce, key, 'uint8array'),
  }),
  tweetnacl:
    ({ secretbox }) =>
    (key, nonce) => ({
      seal: (plaintext) => secretbox(plaintext, nonce, key),
      open(box) {
        const plaintext = secretbox.open(box, nonce, key);
        if (!plaintext) throw new Error('invalid tag');
        return plaintext;
      },
    }),
};

const byNoble = async <T>(family: Family<T>): Promise<Make<T>> => family.noble(await import('@noble/ciphers/salsa.js'));

function entrantsOf<T>(family: Family<T>, start: (made: T) => ReturnType<MakeXor>): Entrant[] {
  const by =
    (make: Make<T>): MakeXor =>
    (key, nonce) =>
      start(make(key, nonce));
  const { 'libsodium.js': bySodium } = family;
  return [
    ours(async () => by(family.lanewise(await import('lanewise/salsa.js')))),
    noble(async () => by(await byNoble(family))),
    ...(bySodium
      ? [
          library('libsodium.js', async () => {
            const { libsodium } = await import('../../client/contestants/libsodium.ts');
            return synchronous(libsodium, by(bySodium((await import('libsodium-wrappers-sumo')).default)));
          }),
        ]
      : []),
    library('tweetnacl', async () => {
      const { tweetnacl } = await import('../../client/contestants/tweetnacl.ts');
      return synchronous(tweetnacl, by(family.tweetnacl((await import('tweetnacl')).default)));
    }),
  ];
}

export const salsa20: Operation = {
  id: 'salsa20/encrypt',
  primitive: 'Salsa20',
  operation: 'encrypt',
  work: workBy(() => byNoble(streams)),
  entrants: entrantsOf(streams, (xor) => xor),
  // ECRYPT's verified test vectors, 256-bit keys, set 3, vector 243.
  knownAnswer: {
    key: unhex('f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112'),
    nonce: new Uint8Array(8),
    data: new Uint8Array(64),
    expected: unhex(
      'b4c0afa503be7fc29a62058166d56f8f5d27dc246f75b9ad8760c8c39dfd87492d3b76d5d9637f009eada14458a52dfb09815337e72672681dddc24633750d83',
    ),
  },
};

/** Computed by NaCl's C implementation: golang.org/x/crypto v0.40.0, nacl/secretbox/secretbox_test.go. */
const example = {
  key: new Uint8Array(32).fill(1),
  nonce: new Uint8Array(24).fill(2),
  plaintext: new Uint8Array(64).fill(3),
  box: unhex(
    '8442bc313f4626f1359e3b50122b6ce6fe66ddfe7d39d14e637eb4fd5b45beadab55198df6ab5368439792a23c87db70acb6156dc5ef957ac04f6276cf6093b84be77ff0849cc33e34b7254d5a8f65ad',
  ),
};

function boxOperation(direction: 'seal' | 'open'): Operation {
  const { key, nonce, plaintext, box } = example;
  const [data, expected] = direction === 'seal' ? [plaintext, box] : [box, plaintext];
  return {
    id: `secretbox/${direction}`,
    primitive: 'secretbox',
    operation: direction,
    async work(message, ownKey, ownNonce) {
      const make = await byNoble(boxes);
      const sealed = Uint8Array.from(make(ownKey, ownNonce).seal(message, new Uint8Array(0)) as Uint8Array);
      const [input, output] = direction === 'seal' ? [message, sealed] : [sealed, message];
      return { key: ownKey, nonce: ownNonce, data: input, expected: output };
    },
    entrants: entrantsOf(boxes, ({ seal, open }) => ({ seal, open })[direction]),
    knownAnswer: { key, nonce, data, expected },
  };
}

export const secretbox = { seal: boxOperation('seal'), open: boxOperation('open') };

export const secretboxAllocated = allocated(secretbox.seal, Object.keys(boxes));

export const operations: readonly Operation[] = [salsa20, ...Object.values(secretbox), secretboxAllocated];

// The public calls of chacha.js whose use of memory is recorded.
import type { Aead } from '../../../../lanewise/src/chacha.ts';
import { drawn } from '../../claims/drawn.ts';
import {
  ANY,
  bound,
  bytes,
  key,
  LONG_MESSAGE,
  message,
  type Library,
  type Recorded,
  type Scenario,
} from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly chacha: typeof import('../../../../lanewise/src/chacha.ts');
  }
}

const words = (length: number, seed: number): Uint32Array => new Uint32Array(bytes(4 * length, seed).buffer);

const nonces = { 8: bytes(8, 2000), 12: bytes(12, 3000), 24: bytes(24, 4000) };
const COUNTER = 0x01020304;

/** Lengths around blocks, sets, groups and the area where short ciphertexts are put aside. */
const LENGTHS = [1, 16, 63, 64, 65, 127, 128, 129, 191, 192, 193, 257, 500, 512, 513, 1023, 1024, 1025, 2049, 5000];
const STAGES = [122_880, 122_881];
const RAW = {
  chacha8: 12,
  chacha12: 12,
  chacha20: 12,
  chacha8orig: 8,
  chacha12orig: 8,
  chacha20orig: 8,
  xchacha8: 24,
  xchacha12: 24,
  xchacha20: 24,
} as const;
const names = Object.keys(RAW) as (keyof typeof RAW)[];

function rawCalls(): Scenario[] {
  return names.flatMap((name) => {
    const nonce = nonces[RAW[name]];
    const encrypt = (length: number, own: Uint8Array): Scenario => ({
      group: 'raw ciphers',
      name: `${name}, key of ${own.length} bytes, ${length} bytes`,
      remains: 'nothing',
      call: ({ chacha }) => chacha[name](own, nonce, message(length), undefined, COUNTER),
    });
    const all = name.includes('20') ? [...LENGTHS, ...ANY, ...(name === 'xchacha20' ? STAGES : [])] : [64, 5000];
    const long = all.map((length) => encrypt(length, key));
    const short = nonce.length === 8 ? [64, 500].map((length) => encrypt(length, key.subarray(0, 16))) : [];
    return [...long, ...short];
  });
}

function streams(): Scenario[] {
  const group = 'streams';
  const remains = 'nothing';
  const end = 2 ** 32 - 1;
  const updates = (['chacha20', 'chacha20orig', 'xchacha20'] as const).flatMap((name) =>
    [0, 1, 63].flatMap((skip) =>
      [1, 64, 65, 500, 5000, ...(name === 'xchacha20' && skip === 1 ? [122_880] : [])].map((length): Scenario => {
        const nonce = nonces[RAW[name]];
        return {
          group,
          name: `${name} from byte ${skip}, ${length} bytes`,
          remains,
          call: ({ chacha }) => chacha[name].stream(key, nonce, COUNTER).seek(skip).update(message(length)),
        };
      }),
    ),
  );
  return [
    ...updates,
    {
      group,
      name: 'three updates in one block',
      remains,
      call: ({ chacha }) => {
        const stream = chacha.chacha20.stream(key, nonces[12], COUNTER);
        for (const length of [10, 40, 100]) stream.update(message(length));
      },
    },
    {
      group,
      name: 'an update past the end',
      remains,
      throws: /counter/,
      call: ({ chacha }) => {
        const stream = chacha.chacha20.stream(key, nonces[12], end);
        stream.update(message(60));
        stream.update(message(5));
      },
    },
    {
      group,
      name: 'overlapping input and output',
      remains,
      call: ({ chacha }) => {
        const length = 130_000;
        const buffer = bytes(length + 100, 1);
        return chacha.xchacha20(key, nonces[24], buffer.subarray(0, length), buffer.subarray(100));
      },
    },
    {
      group,
      name: 'hchacha',
      remains,
      call: ({ chacha }) => chacha.hchacha(words(4, 1), words(8, 2), words(4, 3), new Uint32Array(8)),
    },
  ];
}

function aeadCalls(): Scenario[] {
  return (['chacha20poly1305', 'xchacha20poly1305'] as const).flatMap((name) =>
    [0, 5, 64, 1024, 2000, ...drawn(2, 1, 1024)].flatMap((aadLength) => {
      const aad = aadLength ? bytes(aadLength, 6000) : undefined;
      const nonce = name === 'chacha20poly1305' ? nonces[12] : nonces[24];
      const make = ({ chacha }: Library): Aead => chacha[name](key, nonce, aad);
      // In one call and in several: with the longest messages there is nothing else to see.
      const stages =
        name === 'xchacha20poly1305' ? (aadLength === 0 ? [122_880] : aadLength === 5 ? [122_881] : []) : [];
      const lengths = aadLength === 0 || aadLength === 2000 ? [0, ...LENGTHS, ...ANY] : [0, 1, 64, 65, 513, 1100];
      return [...lengths, ...stages].flatMap((length) =>
        aead(make, `${name}, ${aadLength} bytes of AAD, ${length} bytes`, length),
      );
    }),
  );
}

/** The eight calls of one message, and their failures. */
function aead(make: (library: Library) => Aead, what: string, length: number): Scenario[] {
  const out = (): Uint8Array => new Uint8Array(length);
  const encryption = (how: string, call: Scenario['call']): Scenario => ({
    group: 'AEAD, encryption',
    name: `${what}, ${how}`,
    remains: 'given out',
    call,
  });
  const decryption = (how: string, call: (box: Aead, sealed: Uint8Array) => unknown): Scenario => ({
    group: 'AEAD, decryption',
    name: `${what}, ${how}`,
    remains: 'ciphertext',
    before: (library) => make(library).encrypt(message(length)),
    call: (library, sealed) => call(make(library), sealed),
  });
  const forged = (how: string, call: (box: Aead, sealed: Uint8Array) => unknown): Scenario => ({
    group: 'AEAD, forgeries',
    name: `${what}, ${how}`,
    remains: 'ciphertext',
    throws: /invalid tag/,
    call: (library) => call(make(library), bytes(length + 16, 7000)),
  });
  const decryptions = [
    ['attached', (box: Aead, sealed: Uint8Array) => box.decrypt(sealed)],
    ['into given bytes', (box: Aead, sealed: Uint8Array) => box.decrypt(sealed, out())],
    [
      'detached',
      (box: Aead, sealed: Uint8Array) => box.decryptDetached(sealed.subarray(0, length), sealed.subarray(length)),
    ],
    [
      'detached, into given bytes',
      (box: Aead, sealed: Uint8Array) =>
        box.decryptDetached(sealed.subarray(0, length), sealed.subarray(length), out()),
    ],
  ] as const;
  return [
    encryption('attached', (library) => make(library).encrypt(message(length))),
    encryption('detached', (library) => make(library).encryptDetached(message(length))),
    ...decryptions.map(([how, call]) => decryption(how, call)),
    ...decryptions.map(([how, call]) => forged(how, call)),
  ];
}

export const chachaRecorded: Recorded = {
  groups: { chacha: ['raw ciphers', 'streams', 'AEAD, encryption', 'AEAD, decryption', 'AEAD, forgeries'] },
  doors: ['chacha'],
  async bindings() {
    const chacha = await import('../../../../lanewise/src/chacha/binding.ts');
    return {
      'chacha long': bound(chacha.longKernel, () => chacha.chachaInstance(LONG_MESSAGE)),
      'chacha short': bound(chacha.shortKernel, () => chacha.chachaInstance(0)),
    };
  },
  scenarios: () => [...rawCalls(), ...streams(), ...aeadCalls()],
};

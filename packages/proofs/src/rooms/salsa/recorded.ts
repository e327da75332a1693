// The public calls of salsa.js whose use of memory is recorded: the raw ciphers, and secretbox with both ciphers.
import type { Secretbox } from '../../../../lanewise/src/salsa.ts';
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
    readonly salsa: typeof import('../../../../lanewise/src/salsa.ts');
    readonly nacl: typeof import('../../../../lanewise/src/nacl.ts');
  }
}

const nonce = bytes(8, 2000);
const longNonce = bytes(24, 4000);
const words = (length: number, seed: number): Uint32Array => new Uint32Array(bytes(4 * length, seed).buffer);

/** Lengths around the block of the one-time key, blocks, sets, groups and the area where short ciphertexts are put aside. */
const LENGTHS = [0, 1, 31, 32, 33, 64, 65, 96, 97, 128, 129, 160, 161, 500, 512, 513, 1056, 1057, 2049, 5000];
const STAGES = [122_912, 122_913];

function rawCalls({ salsa }: Library, length: number): void {
  salsa.salsa20(key, nonce, message(length));
  salsa.salsa12(key.subarray(0, 16), nonce, message(length));
  salsa.xsalsa8(key, longNonce, message(length));
  salsa.xsalsa20.stream(key, longNonce, 3).seek(7).update(message(length));
}

function scenarios(): Scenario[] {
  const raw = [1, 64, 65, 128, 129, 500, 2049, ...ANY].map((length): Scenario => ({
    group: 'Salsa20',
    name: `raw ciphers, ${length} bytes`,
    remains: 'nothing',
    call: (library) => rawCalls(library, length),
  }));
  const hsalsa: Scenario = {
    group: 'Salsa20',
    name: 'hsalsa',
    remains: 'nothing',
    call: ({ salsa }) => salsa.hsalsa(words(4, 1), words(8, 2), words(4, 3), new Uint32Array(8)),
  };
  const boxes = (['secretbox', 'secretbox_xchacha20poly1305'] as const).flatMap((name) =>
    [...LENGTHS, ...ANY, ...STAGES].flatMap((length) => box(name, length)),
  );
  return [...raw, hsalsa, ...boxes];
}

/** The calls of one message, and their failures. */
function box(name: 'secretbox' | 'secretbox_xchacha20poly1305', length: number): Scenario[] {
  const make = ({ salsa }: Library): Secretbox => salsa[name](key, longNonce);
  const what = `${name}, ${length} bytes`;
  const outs = [
    ['into fresh bytes', () => undefined],
    ['into given bytes', () => new Uint8Array(length)],
  ] as const;
  return [
    {
      group: 'secretbox, encryption',
      name: what,
      remains: 'given out',
      call: (library) => make(library).seal(message(length)),
    },
    ...outs.flatMap(([how, out]): Scenario[] => [
      {
        group: 'secretbox, decryption',
        name: `${what}, ${how}`,
        remains: 'ciphertext',
        before: (library) => make(library).seal(message(length)),
        call: (library, sealed) => make(library).open(sealed, out()),
      },
      {
        group: 'secretbox, forgeries',
        name: `${what}, ${how}`,
        remains: 'ciphertext',
        throws: /invalid tag/,
        call: (library) => make(library).open(bytes(length + 16, 7000), out()),
      },
    ]),
  ];
}

const BOXES = ['secretbox, encryption', 'secretbox, decryption', 'secretbox, forgeries'];

export const salsaRecorded: Recorded = {
  groups: { salsa: ['Salsa20', ...BOXES], 'secretbox-chacha': BOXES },
  doors: ['salsa', 'nacl'],
  async bindings() {
    const salsa = await import('../../../../lanewise/src/salsa/binding.ts');
    const xchacha = await import('../../../../lanewise/src/salsa/xchacha-binding.ts');
    return {
      'salsa long': bound(salsa.longKernel, () => salsa.salsaInstance(LONG_MESSAGE)),
      'salsa short': bound(salsa.shortKernel, () => salsa.salsaInstance(0)),
      'secretbox-chacha': bound(xchacha.secretboxChachaKernel, xchacha.secretboxChachaInstance),
    };
  },
  scenarios,
};

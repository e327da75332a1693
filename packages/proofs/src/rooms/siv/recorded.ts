// The public calls of siv.js whose use of memory is recorded: they use the kernels of ChaCha.
import type { Aead } from '../../../../lanewise/src/siv.ts';
import { ANY, bytes, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly siv: typeof import('../../../../lanewise/src/siv.ts');
  }
}

const nonce = bytes(16, 2500);
/**
 * Lengths of additional data that fits memory beside the message, and that does not; around blocks, sets and the stage.
 */
const AADS = [0, 5, 64, 1024, 2000];
const LENGTHS = [0, 1, 16, 63, 64, 65, 128, 129, 192, 193, 257, 513, 1025, ...ANY];

/** Shared memory is copied, because it is read twice and another thread may change it. */
const shared: Scenario = {
  group: 'SIV, encryption',
  name: 'more shared memory than goes into one call',
  remains: 'nothing',
  call: ({ siv }) => {
    const plaintext = new Uint8Array(new SharedArrayBuffer(130_000));
    plaintext.set(message(130_000));
    return siv.chacha20poly1305siv(key, nonce).encrypt(plaintext);
  },
};

const scenarios = (): Scenario[] => [
  shared,
  ...AADS.flatMap((aadLength) => {
    const make = ({ siv }: Library): Aead =>
      siv.chacha20poly1305siv(key, nonce, aadLength ? bytes(aadLength, 6000) : undefined);
    const lengths = aadLength === 0 ? [...LENGTHS, 122_880, 122_881] : [0, 1, 65, 513];
    return lengths.flatMap((length) => siv(make, `${aadLength} bytes of AAD, ${length} bytes`, length));
  }),
];

function siv(make: (library: Library) => Aead, what: string, length: number): Scenario[] {
  const remains = 'nothing';
  const before = (library: Library): Uint8Array => make(library).encrypt(message(length));
  const encryption = (how: string, call: (box: Aead) => unknown): Scenario => ({
    group: 'SIV, encryption',
    name: `${what}, ${how}`,
    remains,
    call: (library) => call(make(library)),
  });
  const decryption = (how: string, call: (box: Aead, sealed: Uint8Array) => unknown): Scenario => ({
    group: 'SIV, decryption',
    name: `${what}, ${how}`,
    remains,
    before,
    call: (library, sealed) => call(make(library), sealed),
  });
  const forged = (how: string, call: (box: Aead, sealed: Uint8Array) => unknown): Scenario => ({
    ...decryption(how, (box, sealed) => {
      sealed[length] ^= 1;
      return call(box, sealed);
    }),
    group: 'SIV, forgeries',
    throws: /invalid tag/,
  });
  const apart = (box: Aead, sealed: Uint8Array): unknown =>
    box.decryptDetached(sealed.subarray(0, length), sealed.subarray(length));
  return [
    encryption('attached', (box) => box.encrypt(message(length))),
    encryption('detached', (box) => box.encryptDetached(message(length))),
    decryption('attached', (box, sealed) => box.decrypt(sealed)),
    decryption('into given bytes', (box, sealed) => box.decrypt(sealed, new Uint8Array(length))),
    decryption('detached', apart),
    forged('attached', (box, sealed) => box.decrypt(sealed)),
    forged('detached', apart),
  ];
}

export const sivRecorded: Recorded = {
  groups: { chacha: ['SIV, encryption', 'SIV, decryption', 'SIV, forgeries'] },
  doors: ['siv'],
  scenarios,
};

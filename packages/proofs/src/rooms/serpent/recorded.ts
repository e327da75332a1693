// The public calls of serpent.js whose use of memory is recorded.
import type { Aead } from '../../../../lanewise/src/serpent.ts';
import { drawn } from '../../claims/drawn.ts';
import { bound, bytes, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly serpent: typeof import('../../../../lanewise/src/serpent.ts');
  }
}

const iv = bytes(16, 2000);
const ivs = [iv, bytes(16, 2100), bytes(16, 2200)];
const nonce = bytes(15, 3000);
const raw = { disablePadding: true };

/** Lengths around blocks, sets and groups. */
const LENGTHS = [0, 1, 15, 16, 17, 48, 64, 65, 255, 256, 257, 500, 2049, ...drawn(2, 1, 3000)];
const STAGES = [122_880, 122_881];
const SERIAL = 100_000;

const scenario =
  (group: string) =>
  (name: string, call: Scenario['call'], others: Partial<Scenario> = {}): Scenario => ({
    group,
    name,
    remains: 'nothing',
    call,
    ...others,
  });

function modes(length: number): Scenario[] {
  const counted = scenario('Serpent, CTR');
  const blocks = scenario('Serpent, CBC and ECB');
  const what = `${length} bytes`;
  const before = ({ serpent }: Library): Uint8Array => serpent.cbc(key, iv).encrypt(message(length));
  return [
    ...(length
      ? [
          counted(`big-endian, ${what}`, ({ serpent }) => serpent.ctr(key, iv).encrypt(message(length))),
          counted(`little-endian, ${what}`, ({ serpent }) =>
            serpent.ctrLittleEndian(key.subarray(0, 24), iv).decrypt(message(length)),
          ),
        ]
      : []),
    // One block after the other: in parts it does as ECB does, in more time.
    ...(length < SERIAL
      ? [blocks(`CBC, ${what}`, ({ serpent }) => serpent.cbc(key, iv).encrypt(message(length)))]
      : []),
    blocks(`CBC back, ${what}`, ({ serpent }, sealed) => serpent.cbc(key, iv).decrypt(sealed), { before }),
    blocks(`ECB, ${what}`, ({ serpent }) => serpent.ecb(key.subarray(0, 16)).encrypt(message(length))),
    blocks(`ECB back, ${what}`, ({ serpent }, sealed) => serpent.ecb(key, raw).decrypt(sealed), { before }),
    blocks(
      `CBC, wrong padding, ${what}`,
      ({ serpent }) => serpent.cbc(key, iv).decrypt(bytes((length & -16) + 16, 7000)),
      { throws: /invalid padding/ },
    ),
    blocks(`many, ${what}`, ({ serpent }) =>
      serpent.cbc.encryptMany(key, ivs, [message(length), message(length >> 1), message(5)]),
    ),
  ];
}

function ocbCalls(aadLength: number, length: number): Scenario[] {
  const made = scenario('Serpent, OCB');
  const what = `${aadLength} bytes of AAD, ${length} bytes`;
  const make = ({ serpent }: Library): Aead => serpent.ocb(key, nonce, aadLength ? bytes(aadLength, 6000) : undefined);
  const before = (library: Library): Uint8Array => make(library).encrypt(message(length));
  const forgery = bytes(length + 16, 7000);
  return [
    made(`encrypt, ${what}`, (library) => make(library).encrypt(message(length))),
    made(`encryptDetached, ${what}`, (library) => make(library).encryptDetached(message(length))),
    made(`decrypt, ${what}`, (library, sealed) => make(library).decrypt(sealed), { before }),
    made(
      `decryptDetached, ${what}`,
      (library, sealed) => make(library).decryptDetached(sealed.subarray(0, length), sealed.subarray(length)),
      { before },
    ),
    made(
      `decrypt into given bytes, ${what}`,
      (library, sealed) => make(library).decrypt(sealed, new Uint8Array(length)),
      {
        before,
      },
    ),
    made(`a forgery, ${what}`, (library) => make(library).decrypt(forgery), { throws: /invalid tag/ }),
  ];
}

const scenarios = (): Scenario[] => [
  ...[...LENGTHS, ...STAGES].flatMap(modes),
  ...[0, 5, 64, 1024, 2000].flatMap((aadLength) =>
    [...(aadLength === 0 || aadLength === 2000 ? LENGTHS : [0, 64]), ...(aadLength === 5 ? STAGES : [])].flatMap(
      (length) => ocbCalls(aadLength, length),
    ),
  ),
];

export const serpentRecorded: Recorded = {
  groups: { serpent: ['Serpent, CBC and ECB', 'Serpent, OCB'], 'serpent-ctr': ['Serpent, CTR'] },
  doors: ['serpent'],
  async bindings() {
    const { serpentKernel, serpentInstance } = await import('../../../../lanewise/src/serpent/binding.ts');
    const { serpentCtrKernel, serpentCtrInstance } = await import('../../../../lanewise/src/serpent/ctr-binding.ts');
    return {
      serpent: bound(serpentKernel, serpentInstance),
      'serpent-ctr': bound(serpentCtrKernel, serpentCtrInstance),
    };
  },
  scenarios,
};

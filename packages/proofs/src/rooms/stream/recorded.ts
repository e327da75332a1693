// The public calls of stream.js whose use of memory is recorded: those of secretstream, which use the kernels of ChaCha and of
// Poly1305. The chunks of `chunked` and `agePayload` are messages of the AEAD, whose calls are recorded in the room of ChaCha.
import type * as Stream from '../../../../lanewise/src/stream.ts';
import { ANY, bytes, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly stream: typeof Stream;
  }
}

/** Messages for which cipher and MAC run together, multiples of 8 bytes, and for which they run apart. */
const LENGTHS = [
  0,
  1,
  8,
  15,
  16,
  63,
  64,
  65,
  128,
  129,
  192,
  256,
  257,
  512,
  1024,
  1025,
  122_880,
  122_881,
  122_888,
  140_000,
  ...ANY,
];
/** Additional data in one part of the stage, and in two. */
const AADS = [0, 5, 2000, 130_000];

const HEADER_BYTES = 24;

function messages(length: number, adLength: number): Scenario[] {
  const name = `${length} bytes, ${adLength} bytes of additional data`;
  const ad = adLength ? { ad: bytes(adLength, 6000) } : {};
  /** The header of a stream, and a message. */
  const seal = ({ stream }: Library, tag: number): Uint8Array => {
    const sealer = stream.secretstream(key).sealer();
    const sealed = sealer.push(message(length), undefined, { ...ad, tag });
    return new Uint8Array(Buffer.concat([sealer.header, sealed]));
  };
  const open = ({ stream }: Library, sealed: Uint8Array): void => {
    const opener = stream.secretstream(key).opener({ header: sealed.subarray(0, HEADER_BYTES) });
    opener.push(sealed.subarray(HEADER_BYTES), undefined, ad);
  };
  const wrong = (library: Library, sealed: Uint8Array): void => {
    sealed[HEADER_BYTES] ^= 1;
    open(library, sealed);
  };
  /** The recorder sees the first byte, which the library writes by assignment, if it is neither what was there nor the tag. */
  const before = (library: Library): Uint8Array => {
    const sealed = seal(library, 0);
    return sealed[HEADER_BYTES] > 1 ? sealed : before(library);
  };
  const opening = { remains: 'nothing', before } as const;
  return [
    ...[0, 2].map((tag): Scenario => ({
      group: 'streams of messages, encryption',
      name: `${name}, tag ${tag}`,
      remains: 'given out',
      call: (library) => seal(library, tag),
    })),
    { group: 'streams of messages, decryption', name, ...opening, call: open },
    {
      group: 'streams of messages, forgeries',
      name,
      ...opening,
      call: wrong,
      throws: /^message 0 is not authentic$/,
    },
  ];
}

const scenarios = (): Scenario[] =>
  AADS.flatMap((adLength) =>
    (adLength === 0 ? LENGTHS : [0, 1, 64, 1025]).flatMap((length) => messages(length, adLength)),
  );

const groups = ['encryption', 'decryption', 'forgeries'].map((what) => `streams of messages, ${what}`);
export const streamRecorded: Recorded = { groups: { chacha: groups, poly1305: groups }, doors: ['stream'], scenarios };

/**
 * The program that is measured: `node ratios.ts NAME`. It computes one ratio of times of long messages, by pairs that are taken in
 * turns, and prints it.
 */
import { chacha20poly1305, type Aead } from 'lanewise/chacha.js';
import { secretbox } from 'lanewise/salsa.js';
import { chacha20poly1305siv } from 'lanewise/siv.js';
import { agePayload } from 'lanewise/stream.js';
import { pairedRatio } from '../results/medians.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Each ratio takes so many bytes through both of its sides, and at least so many pairs. */
const PAIRS_BYTES = 256 * MIB;
const LEAST_PAIRS = 5;
const WARMING = 2;

type Call = () => unknown;
interface Pair {
  /** The time of `measured` is divided by that of `of`. */
  readonly measured: Call;
  readonly of: Call;
  /** Throws unless both sides have done their work; after both have run. */
  readonly check: Call;
}
interface Ratio {
  readonly name: string;
  readonly bytes: number;
  readonly prepare: (bytes: number) => Pair;
}

const key = new Uint8Array(32).fill(7);
const message = (bytes: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.alloc(bytes, 'bytes that differ. '));

function isSame(a: Uint8Array, b: Uint8Array): void {
  if (Buffer.compare(a, b) !== 0) throw new Error('what came out is not what went in');
}

const AEADS: Readonly<Record<string, () => Aead>> = {
  chacha20poly1305: () => chacha20poly1305(key, key.subarray(0, 12)),
  secretbox: () => secretbox(key, key.subarray(0, 24)),
  chacha20poly1305siv: () => chacha20poly1305siv(key, key.subarray(0, 16)),
};

/** Opening beside sealing into a buffer that is there: into another such buffer, or allocated. */
const opening = (make: () => Aead, allocated: boolean) => (bytes: number) => {
  const plaintext = message(bytes);
  const sealed = make().encrypt(plaintext);
  let out: Uint8Array = new Uint8Array(bytes).fill(1);
  return {
    measured: () => (allocated ? (out = make().decrypt(sealed)) : make().decrypt(sealed, out)),
    of: () => make().encrypt(plaintext, sealed),
    check: () => isSame(out, plaintext),
  };
};

const PIECE = 64 * KIB;

/** A payload of age through a default reader, beside the cipher alone, allocated, a piece a call. */
const payload = (isBlob: boolean) => (bytes: number) => {
  const plaintext = message(bytes);
  const blob = new Blob([plaintext]);
  const pieces = function* (): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = 0; at < bytes; at += PIECE) yield plaintext.subarray(at, at + PIECE);
  };
  let came = 0;
  return {
    async measured() {
      came = 0;
      const reader = agePayload(key)
        .encrypt(isBlob ? blob : pieces())
        .getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) came += next.value.length;
    },
    of() {
      for (const piece of pieces()) AEADS['chacha20poly1305']().encrypt(piece);
    },
    check() {
      if (came <= bytes) throw new Error(`only ${came} bytes of ${bytes} came out`);
    },
  };
};

const LENGTHS = { '256 KiB': 256 * KIB, '1 MiB': MIB, '16 MiB': 16 * MIB, '64 MiB': 64 * MIB };

export const RATIOS: readonly Ratio[] = [
  ...Object.entries(AEADS).flatMap(([cipher, make]) =>
    [false, true].flatMap((allocated) =>
      Object.entries(LENGTHS).map(([length, bytes]) => ({
        name: `${cipher}, ${length} opened ${allocated ? 'and allocated' : 'into out'} ÷ sealed into out`,
        bytes,
        prepare: opening(make, allocated),
      })),
    ),
  ),
  ...[false, true].map((isBlob) => ({
    name: `age payload, 32 MiB ${isBlob ? 'of a Blob' : 'in pieces of 64 KiB'} ÷ the AEAD alone`,
    bytes: 32 * MIB,
    prepare: payload(isBlob),
  })),
];

async function timeOf(call: Call): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

async function measured({ bytes, prepare }: Ratio): Promise<number> {
  const { measured: call, of, check } = prepare(bytes);
  const times: [number, number][] = [];
  for (let pair = -WARMING; pair < Math.max(LEAST_PAIRS, PAIRS_BYTES / bytes); pair++) {
    const both: [number, number] = [await timeOf(call), await timeOf(of)];
    if (pair >= 0) times.push(both);
  }
  check();
  return pairedRatio(
    times.map(([time]) => time),
    times.map(([, time]) => time),
  );
}

if (import.meta.main) {
  const ratio = RATIOS.find(({ name }) => name === process.argv[2])!;
  process.stdout.write(`${await measured(ratio)}\n`);
}

/** The contests of BLAKE3. */
import { joined, type Output } from './client/bytes.ts';
import { blake3Jit, blake3JitInto } from './client/contestants/blake3-jit.ts';
import { blake3Wasm } from './client/contestants/blake3-wasm.ts';
import type { Hasher } from './client/contestants/contestant.ts';
import { fuzdevBlake3 } from './client/contestants/fuzdev.ts';
import { HASH_WASM_XOF, hashWasmBlake3 } from './client/contestants/hash-wasm.ts';
import { auto, js, scalar, simd } from './client/contestants/lanewise.ts';
import { nobleBlake3 } from './client/contestants/noble.ts';
import { nativeBlake3 } from './client/node/native.ts';
import { randomBytes, type Random } from './client/random.ts';
import { checkedCase, nativeCase, type CheckedCase, type Contest } from './contest.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const LONG = 64 * KIB;
const PIECE = 1000;
const SHORT = 64;
const NOTHING = new Uint8Array();

/** noble is the reference, and is itself checked against blake3-wasm. */
const referenceOf = (contestant: Hasher): Hasher => (contestant === nobleBlake3 ? blake3Wasm : nobleBlake3);

/** Cases of all who can do it; `make` gives the operation. */
function casesOf(
  contestants: readonly Hasher[],
  bytes: number,
  make: (contestant: Hasher) => (() => Output) | undefined,
): CheckedCase[] {
  return contestants.flatMap((contestant) => {
    const operation = make(contestant);
    const expected = make(referenceOf(contestant))?.();
    if (operation === undefined || expected === undefined) throw new Error(`${contestant.name} has no part in this`);
    return checkedCase(contestant, bytes, operation, joined(expected));
  });
}

const hashCases = (kind: 'hash' | 'keyed', length: number, contestants: readonly Hasher[], random: Random) => {
  const message = randomBytes(length, random);
  return casesOf(contestants, length, ({ [kind]: hash }) => hash && (() => hash(message)));
};

function pieceCases(length: number, contestants: readonly Hasher[], random: Random): CheckedCase[] {
  const message = randomBytes(length, random);
  const pieces = Array.from({ length: Math.ceil(length / PIECE) }, (_, i) =>
    message.subarray(PIECE * i, PIECE * (i + 1)),
  );
  return casesOf(contestants, length, ({ pieces: hash }) => hash && (() => hash(pieces)));
}

function xofCases(length: number, contestants: readonly Hasher[], random: Random): CheckedCase[] {
  const message = randomBytes(SHORT, random);
  return casesOf(contestants, length, ({ xof }) => {
    const out = new Uint8Array(length);
    return xof && (() => xof(message, out));
  });
}

function nativeCases(length: number, random: Random): CheckedCase[] {
  const message = randomBytes(length, random);
  const expected = joined(nobleBlake3.hash(message));
  const natives = nativeBlake3.map((contestant) =>
    nativeCase(contestant, { key: NOTHING, nonce: NOTHING, data: message }, expected),
  );
  return [...casesOf([simd], length, ({ hash }) => hash && (() => hash(message))), ...natives];
}

export const BLAKE3 = 'BLAKE3, 64 KiB';
export const BLAKE3_MIB = 'BLAKE3, 1 MiB';
export const BLAKE3_KEYED = 'BLAKE3 keyed, 64 KiB';
export const BLAKE3_KEYED_MIB = 'BLAKE3 keyed, 1 MiB';
export const BLAKE3_PIECES = 'BLAKE3 in 1000-byte updates, 64 KiB';
export const BLAKE3_PIECES_MIB = 'BLAKE3 in 1000-byte updates, 1 MiB';
export const BLAKE3_96 = 'BLAKE3, 96 B';
export const BLAKE3_1024 = 'BLAKE3, 1 KiB';
export const BLAKE3_XOF = 'BLAKE3 output, 16 KiB';
export const BLAKE3_XOF_MIB = 'BLAKE3 output, 1 MiB';
export const BLAKE3_NATIVE = 'BLAKE3 beside native code, 1 MiB';
export const BLAKE3_BUN = 'BLAKE3 in Bun, 64 KiB';

const peers: readonly Hasher[] = [blake3Jit, fuzdevBlake3, hashWasmBlake3, nobleBlake3];
/** Those with an object that takes pieces at more than JavaScript's speed, or a keyed hash. */
const compiled: readonly Hasher[] = [fuzdevBlake3, hashWasmBlake3, blake3Wasm];

export const blake3Contests: readonly Contest[] = [
  { id: BLAKE3, cases: (random) => hashCases('hash', LONG, [simd, scalar, js, ...peers, blake3Wasm], random) },
  { id: BLAKE3_MIB, cases: (random) => hashCases('hash', MIB, [simd, ...peers], random) },
  { id: BLAKE3_KEYED, cases: (random) => hashCases('keyed', LONG, [simd, js, blake3Jit, ...compiled], random) },
  { id: BLAKE3_KEYED_MIB, cases: (random) => hashCases('keyed', MIB, [simd, ...compiled], random) },
  { id: BLAKE3_PIECES, cases: (random) => pieceCases(LONG, [simd, blake3Jit, ...compiled], random) },
  { id: BLAKE3_PIECES_MIB, cases: (random) => pieceCases(MIB, [simd, ...compiled], random) },
  { id: BLAKE3_96, cases: (random) => hashCases('hash', 96, [auto, ...peers, blake3JitInto], random) },
  { id: BLAKE3_1024, cases: (random) => hashCases('hash', KIB, [auto, ...peers, blake3JitInto], random) },
  {
    id: BLAKE3_XOF,
    cases: (random) => xofCases(HASH_WASM_XOF, [simd, hashWasmBlake3, blake3Wasm, blake3Jit], random),
  },
  { id: BLAKE3_XOF_MIB, cases: (random) => xofCases(MIB, [simd, blake3Wasm, blake3Jit], random) },
  { id: BLAKE3_NATIVE, cases: (random) => nativeCases(MIB, random) },
  { id: BLAKE3_BUN, runtime: 'bun', cases: (random) => hashCases('hash', LONG, [simd, scalar], random) },
];

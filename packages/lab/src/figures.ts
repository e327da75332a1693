/** The figures that the project promises: one row each, all in one table. */
import * as blake3 from './blake3-contests.ts';
import { nativeName } from './client/node/native.ts';
import * as contest from './contests.ts';
import { handWritten, handWrittenInMemory, SCALAR_KERNEL, SIMD_KERNEL } from './kernels/instances.ts';
import { levels } from './native.ts';
import * as disk from './disk-contests.ts';
import * as salsa from './salsa-contests.ts';
import * as serpent from './serpent-contests.ts';
import { pairedRatio } from './statistics.ts';

export type Target = { readonly atLeast: number } | { readonly atMost: number };

/**
 * Of the module of BLAKE3 with vectors: its bytes, and the milliseconds that they take; of the first messages of 2 KiB
 * and of one byte more: their milliseconds, and the bytes of all that is compiled then.
 */
export type ModulePart =
  'bytes' | 'milliseconds' | 'first short' | 'first long' | 'after import' | 'after short' | 'after long';

/** Where the number of a row comes from. */
export type Source =
  /** Time of one case ÷ time of another; of several `over`, the quickest counts: the least ratio. */
  | { readonly kind: 'ratio'; readonly contest: string; readonly over: readonly string[]; readonly under: string }
  | { readonly kind: 'cold'; readonly contestant: string; readonly part: 'import' | 'first' | 'total' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'module'; readonly part: ModulePart }
  /** Of this program, minified and gzipped. */
  | { readonly kind: 'bundle'; readonly code: string };

export interface Figure {
  readonly what: string;
  /** Without one, the number is only reported. */
  readonly target?: Target;
  readonly unit: '×' | 'ms' | 'KiB' | 'KB';
  readonly source: Source;
}

/** How many times faster `ours` is than `other`. */
const faster = (
  what: string,
  id: string,
  ours: string,
  other: string | readonly string[],
  atLeast?: number,
): Figure => ({
  what,
  unit: '×',
  ...(atLeast !== undefined && { target: { atLeast } }),
  source: { kind: 'ratio', contest: id, over: typeof other === 'string' ? [other] : other, under: ours },
});

/** How many times longer one length takes than another. */
const longer = (what: string, id: string, length: number, other: number, atMost?: number): Figure => ({
  what: `${what}: time of ${length} B ÷ ${other} B`,
  unit: '×',
  ...(atMost !== undefined && { target: { atMost } }),
  source: { kind: 'ratio', contest: id, over: [`${length} B`], under: `${other} B` },
});

const tails = (what: string, id: string): Figure[] => [
  longer(what, id, 1025, 1088, 1.15),
  longer(what, id, 1025, 1280, 1.15),
  longer(what, id, 4097, 4160, 1.15),
  longer(what, id, 1025, 1024),
  longer(what, id, 4097, 4096),
];

const cold = (contestant: string, part: 'import' | 'first' | 'total', what: string, atMost?: number): Figure => ({
  what: `cold, ${contestant}: ${what}`,
  unit: 'ms',
  ...(atMost !== undefined && { target: { atMost } }),
  source: { kind: 'cold', contestant, part },
});

const bundle = (name: string, from: string, atMost: number): Figure => ({
  what: `import { ${name} }, min+gz`,
  unit: 'KB',
  target: { atMost },
  source: { kind: 'bundle', code: `export { ${name} } from '${from}';` },
});

const blake3Module = (what: string, unit: Figure['unit'], part: ModulePart, atMost?: number): Figure => ({
  what: `BLAKE3 ${what}`,
  unit,
  ...(atMost !== undefined && { target: { atMost } }),
  source: { kind: 'module', part },
});

const SIMD = 'lanewise simd';
const AUTO = 'lanewise auto';
const JS = 'lanewise js';

export const figures: readonly Figure[] = [
  faster('ChaCha20 kernel, simd ÷ scalar', contest.KERNELS, SIMD_KERNEL, SCALAR_KERNEL, 2.3),
  faster('ChaCha20, simd ÷ scalar', contest.STREAM, SIMD, 'lanewise scalar'),
  faster('ChaCha20, simd ÷ libsodium.js', contest.STREAM, SIMD, 'libsodium.js', 2.6),
  faster('ChaCha20, simd ÷ noble', contest.STREAM, SIMD, 'noble', 3),
  faster('ChaCha20, simd ÷ node:crypto', contest.STREAM, SIMD, 'node:crypto'),

  faster('ChaCha20-Poly1305 seal, simd ÷ libsodium.js', contest.SEAL, SIMD, 'libsodium.js', 3),
  faster('ChaCha20-Poly1305 seal, simd ÷ noble', contest.SEAL, SIMD, 'noble', 6),
  faster('ChaCha20-Poly1305 seal, simd ÷ node:crypto', contest.SEAL, SIMD, 'node:crypto'),
  faster('ChaCha20-Poly1305 open, simd ÷ libsodium.js', contest.OPEN, SIMD, 'libsodium.js'),
  faster('ChaCha20-Poly1305 open, simd ÷ noble', contest.OPEN, SIMD, 'noble'),

  faster('XChaCha20-Poly1305 64 B ÷ libsodium.js', contest.SEAL_64, AUTO, 'libsodium.js', 2.2),
  faster('XChaCha20-Poly1305 64 B ÷ noble', contest.SEAL_64, AUTO, 'noble', 9),
  faster('XChaCha20-Poly1305 64 B ÷ node:crypto', contest.SEAL_64, AUTO, 'node:crypto', 5),
  faster('XChaCha20-Poly1305 1 KiB ÷ libsodium.js', contest.SEAL_1024, AUTO, 'libsodium.js', 2),
  faster('XChaCha20-Poly1305 1 KiB ÷ noble', contest.SEAL_1024, AUTO, 'noble', 6),
  faster('XChaCha20-Poly1305 1 KiB ÷ node:crypto', contest.SEAL_1024, AUTO, 'node:crypto', 2),

  faster('ChaCha20, js ÷ noble', contest.STREAM, JS, 'noble', 1),
  faster('ChaCha20-Poly1305 seal, js ÷ noble', contest.SEAL, JS, 'noble', 1),
  faster('ChaCha20-Poly1305 open, js ÷ noble', contest.OPEN, JS, 'noble', 1),

  faster('ChaCha20 kernel, generated ÷ best by hand', contest.KERNELS, SIMD_KERNEL, handWritten, 0.97),
  faster('ChaCha20 kernel, generated ÷ best in memory', contest.KERNELS, SIMD_KERNEL, handWrittenInMemory),

  ...tails('ChaCha20', contest.STREAM_LENGTHS),
  ...tails('ChaCha20-Poly1305 seal', contest.SEAL_LENGTHS),

  cold('lanewise', 'total', 'import to first 64 B sealed', 5),
  cold('lanewise', 'import', 'import alone'),
  cold('lanewise', 'first', 'first call alone'),
  cold('noble', 'total', 'import to first 64 B sealed'),
  cold('libsodium.js', 'total', 'import to first 64 B sealed'),

  { what: 'linear memory, ChaCha20 and Poly1305', target: { atMost: 256 }, unit: 'KiB', source: { kind: 'memory' } },
  bundle('xchacha20poly1305', 'lanewise/chacha.js', 10),

  faster('Salsa20, simd ÷ scalar', salsa.SALSA, SIMD, 'lanewise scalar', 2.2),
  faster('Salsa20, simd ÷ noble', salsa.SALSA, SIMD, 'noble', 3),
  faster('Salsa20, js ÷ noble', salsa.SALSA, JS, 'noble', 1),
  faster('secretbox seal, simd ÷ libsodium.js', salsa.SECRETBOX, SIMD, 'libsodium.js', 2.8),
  faster('secretbox seal, simd ÷ tweetnacl', salsa.SECRETBOX, SIMD, 'tweetnacl', 8),
  faster('secretbox seal, simd ÷ noble', salsa.SECRETBOX, SIMD, 'noble', 6),
  faster('secretbox open, simd ÷ libsodium.js', salsa.SECRETBOX_OPEN, SIMD, 'libsodium.js'),
  faster('secretbox open, simd ÷ tweetnacl', salsa.SECRETBOX_OPEN, SIMD, 'tweetnacl'),
  faster('secretbox 64 B ÷ tweetnacl', salsa.SECRETBOX_64, AUTO, 'tweetnacl', 4),
  faster('secretbox 64 B ÷ libsodium.js', salsa.SECRETBOX_64, AUTO, 'libsodium.js', 2.2),
  {
    what: 'byte 32: time as secretbox ÷ as AEAD, 64 KiB',
    unit: '×',
    target: { atMost: 1.05 },
    source: { kind: 'ratio', contest: salsa.OFFSET, over: [salsa.AS_BOX], under: salsa.AS_AEAD },
  },
  bundle('secretbox', 'lanewise/salsa.js', 10),

  faster('Serpent-256-CTR, simd ÷ scalar', serpent.SERPENT, SIMD, 'lanewise scalar', 3.6),
  faster('Serpent-256-CTR, simd ÷ libgcrypt, native AVX2', serpent.SERPENT, SIMD, serpent.LIBGCRYPT, 0.6),
  faster('Serpent-256-CTR, scalar ÷ bcrypto', serpent.SERPENT, 'lanewise scalar', 'bcrypto'),
  faster('Serpent-256-CTR, js ÷ bcrypto', serpent.SERPENT, JS, 'bcrypto'),
  faster('Serpent-256, CBC decrypt ÷ CTR', serpent.SERPENT_MODES, serpent.CBC, serpent.CTR, 0.9),
  faster('Serpent-256, OCB seal ÷ CTR', serpent.SERPENT_MODES, serpent.OCB, serpent.CTR, 0.85),
  ...serpent.keyCounts.slice(1).map((count) => ({
    what: `Serpent-256, a block under the next of ${count} keys: time ÷ under one key`,
    unit: '×' as const,
    source: {
      kind: 'ratio' as const,
      contest: serpent.SERPENT_KEYS,
      over: [serpent.keysName(count)],
      under: serpent.keysName(1),
    },
  })),
  bundle('ctr', 'lanewise/serpent.js', 9),

  faster('Adiantum12, pages ÷ our XChaCha12', disk.PAGES, SIMD, disk.XCHACHA, 0.5),
  faster('Adiantum12, pages ÷ Go, native AVX2 and AES-NI', disk.PAGES, SIMD, disk.GO, 0.4),
  faster('Adiantum12, sectors ÷ Go, native AVX2 and AES-NI', disk.SECTORS_EACH, SIMD, disk.GO),
  faster('HPolyC12, pages ÷ Go, native AVX2 and AES-NI', disk.HPOLYC_PAGES, SIMD, disk.GO, 0.45),
  faster('HPolyC12, simd ÷ scalar', disk.HPOLYC_PAGES, SIMD, 'lanewise scalar'),
  faster('Adiantum12, one page ÷ in a batch', disk.SHAPES, disk.ONE, disk.BATCH, 0.75),
  faster('Adiantum12, sectors ÷ pages', disk.SHAPES, disk.SECTORS, disk.BATCH, 0.5),
  faster('Adiantum12, decrypt ÷ encrypt', disk.SHAPES, disk.DECRYPT, disk.BATCH, 0.9),
  faster('Adiantum12, encrypt ÷ decrypt', disk.SHAPES, disk.BATCH, disk.DECRYPT, 0.9),
  faster('Adiantum12, simd ÷ scalar', disk.PAGES, SIMD, 'lanewise scalar'),
  faster('Adiantum12, pages ÷ AES-256-XTS by node:crypto', disk.PAGES, SIMD, disk.XTS),
  faster('Adiantum12, sectors ÷ AES-256-XTS by node:crypto', disk.SECTORS_EACH, SIMD, disk.XTS),
  faster('Adiantum12, pages ÷ AES-256-CTR by noble', disk.PAGES, SIMD, disk.NOBLE_AES, 10),
  faster('Adiantum12, js ÷ AES-256-CTR by noble', disk.PAGES, JS, disk.NOBLE_AES),
  faster('HPolyC12 ÷ Adiantum12, pages', disk.SHAPES, disk.HPOLYC, disk.BATCH),
  {
    what: 'Adiantum: time of a new key ÷ of a page',
    unit: '×',
    source: { kind: 'ratio', contest: disk.SHAPES, over: [disk.KEY], under: disk.ONE },
  },
  bundle('adiantum', 'lanewise/disk.js', 20.5),

  ...[blake3.BLAKE3, blake3.BLAKE3_MIB].flatMap((id) => [
    faster(`${id} ÷ blake3-jit`, id, SIMD, 'blake3-jit', 1.7),
    faster(`${id} ÷ fuzdev`, id, SIMD, 'fuzdev', 1.2),
    faster(`${id} ÷ hash-wasm`, id, SIMD, 'hash-wasm', 2),
    faster(`${id} ÷ noble`, id, SIMD, 'noble', 20),
  ]),
  faster('BLAKE3, 64 KiB, simd ÷ scalar', blake3.BLAKE3, SIMD, 'lanewise scalar'),
  ...[blake3.BLAKE3_KEYED, blake3.BLAKE3_KEYED_MIB, blake3.BLAKE3_PIECES, blake3.BLAKE3_PIECES_MIB].flatMap((id) => [
    faster(`${id} ÷ hash-wasm`, id, SIMD, 'hash-wasm', 2),
    faster(`${id} ÷ fuzdev`, id, SIMD, 'fuzdev'),
  ]),
  faster('BLAKE3, 96 B ÷ blake3-jit', blake3.BLAKE3_96, AUTO, 'blake3-jit', 1.15),
  faster('BLAKE3, 96 B ÷ blake3-jit, its hashInto', blake3.BLAKE3_96, AUTO, 'blake3-jit, hashInto'),
  faster('BLAKE3, 96 B ÷ hash-wasm', blake3.BLAKE3_96, AUTO, 'hash-wasm'),
  faster('BLAKE3, 1 KiB ÷ hash-wasm', blake3.BLAKE3_1024, AUTO, 'hash-wasm', 1.15),
  faster('BLAKE3, 1 KiB ÷ blake3-jit', blake3.BLAKE3_1024, AUTO, 'blake3-jit'),
  faster('BLAKE3 output, 1 MiB ÷ blake3-wasm', blake3.BLAKE3_XOF_MIB, SIMD, 'blake3-wasm', 2.2),
  faster('BLAKE3 output, 16 KiB ÷ hash-wasm', blake3.BLAKE3_XOF, SIMD, 'hash-wasm', 2.2),
  ...levels.map((level, i) =>
    faster(
      `BLAKE3, 1 MiB ÷ official crate at ${level.name}`,
      blake3.BLAKE3_NATIVE,
      SIMD,
      nativeName(level),
      [1.05, 0.5, 0.2][i],
    ),
  ),
  faster('BLAKE3 in Bun, 64 KiB, simd ÷ scalar', blake3.BLAKE3_BUN, SIMD, 'lanewise scalar', 1.8),
  faster('BLAKE3, 64 KiB, js ÷ noble', blake3.BLAKE3, JS, 'noble', 5),
  faster('BLAKE3 keyed, 64 KiB, js ÷ blake3-jit', blake3.BLAKE3_KEYED, JS, 'blake3-jit', 1),
  bundle('blake3', 'lanewise/blake3.js', 9),
  blake3Module('module with vectors', 'KB', 'bytes', 40),
  blake3Module('module with vectors, generated cold', 'ms', 'milliseconds', 3),
  blake3Module('cold, first 2 KiB', 'ms', 'first short'),
  blake3Module('cold, then first 2 KiB and a byte', 'ms', 'first long'),
  blake3Module('modules after import', 'KB', 'after import', 0),
  blake3Module('modules after 2 KiB', 'KB', 'after short'),
  blake3Module('modules after 2 KiB and a byte', 'KB', 'after long'),
];

/** The median ratio in one process, and which of several cases it was. */
export function ratioOf(
  source: Extract<Source, { kind: 'ratio' }>,
  nanoseconds: Readonly<Record<string, readonly number[]>>,
): { value: number; over: string } | undefined {
  const under = nanoseconds[source.under];
  const ratios = source.over.flatMap((over) =>
    nanoseconds[over] && under ? [{ value: pairedRatio(nanoseconds[over], under), over }] : [],
  );
  if (ratios.length === 0) return undefined;
  return ratios.reduce((least, ratio) => (ratio.value < least.value ? ratio : least));
}

export const isMet = (target: Target, value: number): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;

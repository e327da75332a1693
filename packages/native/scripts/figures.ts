/**
 * The figures of native code beside WebAssembly, node:crypto, and the native programs of packages/lab where they are built: prints a table.
 * `node packages/native/scripts/figures.ts [SECONDS [LANES]]`, alone on one core; with 0 seconds, Argon2 and scrypt alone. `OPENSSL_ia32cap=:~0xd0230000` leaves OpenSSL AVX2. Each pair takes turns of some milliseconds, in an order that is
 * shuffled; a figure is the median of the ratios of neighbours, with the quartiles. Results are compared before anything is timed.
 */
import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { arch, cpus } from 'node:os';
import { argon2Others } from '../../lanewise/scripts/argon2-others.ts';
import { argon2idSync } from '../../lanewise/src/argon2.ts';
import { blake3 } from '../../lanewise/src/blake3.ts';
import { chacha20, chacha20poly1305, xchacha20poly1305 } from '../../lanewise/src/chacha.ts';
import { adiantum } from '../../lanewise/src/disk.ts';
import { offerNative, select } from '../../lanewise/src/engine.ts';
import { scryptSync as scrypt } from '../../lanewise/src/scrypt.ts';
import { ctr } from '../../lanewise/src/serpent.ts';
import { findCipher, levels, Native, noNative, type NativeCipher } from '../../lab/src/native.ts';
import { codeOf, lanesHere } from '../src/kernels.ts';
import { addon } from '../test/support/compiled.ts';

/** Runs so often, and returns the milliseconds. */
type Timed = (count: number) => number;
const here =
  (before: () => void, work: () => unknown): Timed =>
  (count) => {
    before();
    const start = performance.now();
    for (let i = 0; i < count; i++) work();
    return performance.now() - start;
  };

const SECONDS = Number(process.argv[2] ?? 3);
const BATCH_MILLISECONDS = 4;
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], q: number): number => sorted(values)[Math.floor(q * (values.length - 1))];

/** How many times as fast the first is. */
function compare(own: Timed, other: Timed): readonly number[] {
  const countOf = (timed: Timed): number => {
    let count = 1;
    for (let i = 0; i < 20; i++) timed(1);
    while (timed(count) < BATCH_MILLISECONDS && count < 1 << 20) count *= 2;
    return count;
  };
  // Twice: the first time engines still compile.
  countOf(own);
  countOf(other);
  const [a, b] = [countOf(own), countOf(other)];
  const ratios: number[] = [];
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end || ratios.length < 5;) {
    const isFirst = Math.random() < 0.5;
    const one = isFirst ? own(a) / a : other(b) / b;
    const two = isFirst ? other(b) / b : own(a) / a;
    ratios.push(isFirst ? two / one : one / two);
  }
  return ratios;
}

const bytes = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 7 + seed) & 255);
const [key, nonce, longNonce] = [bytes(32, 1), bytes(12, 2), bytes(24, 3)];
/** A counter that begins with the nonce, as the programs of packages/lab take it. */
const counter = Uint8Array.from([...nonce, 0, 0, 0, 0]);
const iv = Buffer.concat([Buffer.alloc(4), nonce]);
const tagged = { authTagLength: 16 } as const;
const sizes = { '64 B': 64, '1 KiB': 1024, '64 KiB': 65_536, '1 MiB': 1 << 20, '16 MiB': 1 << 24 } as const;
const names = Object.keys(sizes) as readonly (keyof typeof sizes)[];

if (!addon) throw new Error('there is no compiler here');
const wanted = process.argv[3];
if (!(SECONDS >= 0) || process.argv.length > 4)
  throw new Error('usage: figures.ts [SECONDS [LANES]], got other arguments');
const widths = lanesHere(addon).filter((lanes) => (wanted === undefined ? lanes >= 8 : lanes === Number(wanted)));
if (widths.length === 0) throw new Error(`there are no ${wanted ?? 'wide'} lanes here`);
const codes = new Map(widths.map((lanes) => [lanes, codeOf(addon!, lanes)]));
let chosen = 0;
const on = (lanes: number) => (): void => {
  if (chosen === lanes) return;
  chosen = lanes;
  if (lanes === 0) select('simd');
  else {
    select('auto');
    offerNative(codes.get(lanes)!);
  }
};

function print(what: string, against: string, own: Timed, other: Timed): void {
  const ratios = compare(own, other);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(2));
  console.log(`| ${what} | ${against} | ${middle} | ${low} to ${high} | ${ratios.length} |`);
}
const same = (a: Uint8Array, b: Uint8Array): void => {
  if (Buffer.compare(a, b) !== 0) throw new Error('other bytes');
};

const { model } = cpus()[0];
console.log(
  `${model}, ${arch()}, Node ${process.versions.node}, OpenSSL ${process.versions.openssl}, ${new Date().toISOString()}`,
);
console.log('\n| what | beside | times as fast | quartiles | pairs |\n|---|---|--:|--:|--:|');
const natives = (operation: NativeCipher, message: Uint8Array, its: Uint8Array): Timed | undefined => {
  const found = findCipher(operation);
  if ('missing' in found) {
    console.log(`not measured: ${operation.library} ${operation.operation}: ${found.missing}`);
    return undefined;
  }
  const program = new Native({ cipher: operation, key, nonce: its }, message);
  return (count) => program.time(count);
};

for (const lanes of SECONDS > 0 ? widths : []) {
  const width = `${lanes} lanes`;
  for (const name of ['64 KiB', '1 MiB'] as const) {
    const message = bytes(sizes[name], 5);
    const work = (): Uint8Array => blake3(message);
    print(`BLAKE3 ${name}, ${width}`, 'WebAssembly', here(on(lanes), work), here(on(0), work));
    const level = levels.find((one) => one.name === (lanes === 8 ? 'AVX2' : 'AVX-512'))!;
    const missing = noNative(level);
    if (missing !== undefined) console.log(`not measured: the official crate at ${level.name}: ${missing}`);
    else {
      const program = new Native(level, message);
      program.time(1);
      same(program.digest, work());
      print(`BLAKE3 ${name}, ${width}`, `the official crate, ${level.name}`, here(on(lanes), work), (count) =>
        program.time(count),
      );
      program.end();
    }
  }
  {
    const message = bytes(65_536, 5);
    const work = (): Uint8Array => chacha20(key, nonce, message);
    const theirs = (): Uint8Array => createCipheriv('chacha20', key, iv).update(message);
    same(work(), theirs());
    print(`ChaCha20 64 KiB, ${width}`, 'WebAssembly', here(on(lanes), work), here(on(0), work));
    print(`ChaCha20 64 KiB, ${width}`, 'node:crypto', here(on(lanes), work), here(on(lanes), theirs));
  }
  for (const name of names) {
    if (name === '1 MiB') continue;
    const message = bytes(sizes[name], 5);
    const sealed = chacha20poly1305(key, nonce).encrypt(message);
    const work = (): Uint8Array => chacha20poly1305(key, nonce).encrypt(message);
    const theirs = (): Uint8Array => {
      const cipher = createCipheriv('chacha20-poly1305', key, nonce, tagged);
      return Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()]);
    };
    same(theirs(), sealed);
    print(`ChaCha20-Poly1305 sealing ${name}, ${width}`, 'node:crypto', here(on(lanes), work), here(on(lanes), theirs));
    const opening = (): Uint8Array => chacha20poly1305(key, nonce).decrypt(sealed);
    const theirOpening = (): Uint8Array => {
      const cipher = createDecipheriv('chacha20-poly1305', key, nonce, tagged);
      cipher.setAuthTag(sealed.subarray(-16));
      const opened = cipher.update(sealed.subarray(0, -16));
      cipher.final();
      return opened;
    };
    same(theirOpening(), message);
    print(
      `ChaCha20-Poly1305 opening ${name}, ${width}`,
      'node:crypto',
      here(on(lanes), opening),
      here(on(lanes), theirOpening),
    );
  }
  for (const name of ['64 B', '1 KiB', '64 KiB', '1 MiB'] as const) {
    const message = bytes(sizes[name], 5);
    const theirs = natives({ library: 'libsodium', operation: 'chacha20poly1305' }, message, nonce);
    const work = (): Uint8Array => xchacha20poly1305(key, longNonce).encrypt(message);
    if (theirs) print(`XChaCha20-Poly1305 ${name}, ${width}`, 'libsodium, without X', here(on(lanes), work), theirs);
  }
  {
    const message = bytes(65_536, 5);
    const theirs = natives({ library: 'libgcrypt', operation: 'serpent-ctr' }, message, nonce);
    const work = (): Uint8Array => ctr(key, counter).encrypt(message);
    if (theirs) print(`Serpent CTR 64 KiB, ${width}`, 'libgcrypt', here(on(lanes), work), theirs);
    const cipher = adiantum(key);
    const pages = bytes(65_536, 6);
    const go = natives({ library: 'adiantum', operation: 'adiantum-pages' }, pages, new Uint8Array());
    const options = { pageSize: 4096, tweak: 'index64' } as const;
    if (go)
      print(
        `Adiantum pages, 64 KiB, ${width}`,
        'Go',
        here(on(lanes), () => cipher.encryptPages(pages, options)),
        go,
      );
  }
}
/** Derivations in turns, in an order that is shuffled: each takes so long that one is a batch. */
async function derivations(
  title: string,
  own: () => unknown,
  others: Readonly<Record<string, () => unknown>>,
): Promise<void> {
  const works = [own, ...Object.values(others)];
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < 9; round++)
    for (const i of works
      .keys()
      .toArray()
      .sort(() => Math.random() - 0.5)) {
      const start = performance.now();
      await works[i]();
      // Code gets hot in the first rounds.
      if (round > 1) times[i].push(performance.now() - start);
    }
  console.log(`${title}: ${quantile(times[0], 0.5).toFixed(1)} ms`);
  for (const [i, name] of Object.keys(others).entries()) {
    const ratios = times[i + 1].map((time, round) => time / times[0][round]);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(2));
    console.log(`| ${title} | ${name} | ${middle} | ${low} to ${high} | ${ratios.length} |`);
  }
}

const [t, m] = [3, 65_536];
const password = bytes(28, 7);
const salt = bytes(16, 8);
const others = await argon2Others(password, salt, { t, m });
for (const lanes of widths) {
  const of = (p: number) => () => argon2idSync(password, salt, { t, m, p });
  const inWebAssembly = (work: () => unknown) => (): unknown => {
    on(0)();
    const result = work();
    on(lanes)();
    return result;
  };
  on(lanes)();
  // Each engine drops the memory of the other's last derivation, so both fill fresh memory.
  await derivations(`Argon2id, fresh 64 MiB, ${lanes} lanes`, of(1), { WebAssembly: inWebAssembly(of(1)) });
  await derivations(`Argon2id, 64 MiB, ${lanes} lanes`, of(1), others);
  const costs = { N: 2 ** 18, r: 8, p: 1 };
  const ours = (): unknown => scrypt(key, key, { ...costs, dkLen: 32 });
  await derivations(`scrypt, N = 2^18, ${lanes} lanes`, ours, {
    WebAssembly: inWebAssembly(ours),
    'node:crypto': () => scryptSync(key, key, 32, { ...costs, maxmem: 2 ** 30 }),
  });
}

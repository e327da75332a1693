/** The cases and contests of this study by the names that its page has for them. */
import type { Shown } from '../shown.ts';
import type { Given, StudyData } from '../study.ts';

export const STUDY = 'studies/salsa20-speed';
const AES = 'AES-256-CTR';
/** Salsa20, ChaCha20 and AES by their names in the page. */
export const CIPHERS = {
  salsa: 'lanewise auto, Salsa20',
  chacha: 'lanewise auto, ChaCha20',
  'node-aes': `node:crypto, ${AES}`,
  'web-aes': `WebCrypto, ${AES}`,
  'noble-aes': `noble, ${AES}`,
} as const;
export const LENGTHS = [8, 64, 256, 576, 1536, 4096, 16384, 65536] as const;

/** Each cipher under keys in turns, at offsets, and in different company. */
const variants = Object.entries(CIPHERS).flatMap(([name, cipher]) => [
  [`${name}-keys`, `${cipher}, * keys`],
  [`${name}-at`, `${cipher}, offset *`],
  [`${name}-warm`, `${cipher}, warm`],
  [`${name}-after`, `${cipher}, after other code`],
  [`${name}-evicted`, `${cipher}, caches evicted`],
]);

export const names = {
  ...(Object.fromEntries(variants) as Readonly<Record<string, string>>),
  ...CIPHERS,
  long: 'platforms/salsa20/encrypt/65536',
  simd: 'lanewise simd',
  length: `${STUDY}/length`,
  keys: `${STUDY}/keys/64`,
  alignment: `${STUDY}/alignment`,
  context: `${STUDY}/context/4096`,
  direction: `${STUDY}/direction/65536`,
  code: `${STUDY}/code`,
  seek: 'parallel/first-byte/chacha20/encrypt',
  parallel: 'parallel/workers/chacha20/encrypt/4194304',
  'many-streams': 'many/chacha20/update',
  'many-hashers': 'many/blake3/update',
  'noble-keys': `${CIPHERS['noble-aes']}, * keys`,
  streams: '* streams',
  hashers: '* hashers',
  position: 'position *',
  one: '1 worker',
  two: '2 workers',
  four: '4 workers',
  'main-thread': 'main thread',
  secretbox: 'lanewise auto, secretbox, *',
  'node-gcm': 'node:crypto, AES-256-GCM, *',
  'web-gcm': 'WebCrypto, AES-256-GCM, *',
  'noble-gcm': 'noble, AES-256-GCM, *',
  'one-set': 'memory 1x4 by hand',
  'three-sets': 'memory 3x4 by hand',
} as const;

/** The answer to a question, beyond the blocks of the page. */
export type Answer = Pick<Given, 'figures' | 'parts' | 'columns'>;
export type Question = (data: StudyData, shown: Shown) => Answer;
export const lengthContest = (length: number): string => `${names.length}/${length}`;
/** A case as people call it. */
export const called = (id: string): string => id.replace(/^lanewise auto, /, '');

/** The cases that the contests of this study share. */
import type { Machine, MachineEngine } from '../machine.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { mainOf, type Given } from '../template.ts';

export const STUDY = 'studies/salsa20-speed';
export const SALSA = 'lanewise auto, Salsa20';
export const CHACHA = 'lanewise auto, ChaCha20';
export const AES = ['node:crypto', 'WebCrypto', 'noble'].map((library) => `${library}, AES-256-CTR`);
export const NOBLE_AES = AES[2];
export const CIPHERS: readonly string[] = [SALSA, CHACHA, ...AES];

export const names = {
  length: `${STUDY}/length`,
  keys: `${STUDY}/keys/64`,
  direction: `${STUDY}/direction/65536`,
  code: `${STUDY}/code`,
  seek: 'parallel/first-byte/chacha20/encrypt',
  parallel: 'parallel/workers/chacha20/encrypt/4194304',
  salsa: SALSA,
  'noble-aes': NOBLE_AES,
  'salsa-keys': `${SALSA}, * keys`,
  'chacha-keys': `${CHACHA}, * keys`,
  'noble-keys': `${NOBLE_AES}, * keys`,
  position: 'position *',
  two: '2 workers',
  four: '4 workers',
  'main-thread': 'main thread',
  secretbox: 'lanewise auto, secretbox, *',
  'one-set': 'memory 1x4 by hand',
  'three-sets': 'memory 3x4 by hand',
} as const;

/** What a question gives to the page; all of it is undefined where nothing was measured. */
export type Answer = Pick<Given, 'figures' | 'parts'>;
export type Question = (data: StudyData, shown: Shown) => Answer;

/** A case as people call it. */
export const called = (id: string): string => id.replace(/^lanewise auto, /, '');

/** The engine of plots that have room for one. */
export const mainEngine = (data: Machine, ...contests: readonly string[]): MachineEngine | undefined =>
  mainOf(data.engines(...contests));

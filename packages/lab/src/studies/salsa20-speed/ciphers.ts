/** The cases that the contests of this study share. */
import type { Machine, MachineEngine } from '../machine.ts';

export const SALSA = 'lanewise auto, Salsa20';
export const CHACHA = 'lanewise auto, ChaCha20';
export const AES = ['node:crypto', 'WebCrypto', 'noble'].map((library) => `${library}, AES-256-CTR`);
export const CIPHERS: readonly string[] = [SALSA, CHACHA, ...AES];

export const STUDY = 'studies/salsa20-speed';

/** A case as people call it. */
export const called = (id: string): string => id.replace(/^lanewise auto, /, '');

/** The engine of plots that have room for one: Node, where AES of the platform can be called without a promise. */
export const mainEngine = (data: Machine, ...contests: readonly string[]): MachineEngine | undefined => {
  const engines = data.engines(...contests);
  return engines.find(({ id }) => id === 'node26') ?? engines.at(0);
};

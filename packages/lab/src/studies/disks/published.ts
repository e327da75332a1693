/** Figures of a Cortex-A7, an entry-level ARM processor without instructions for AES, in cycles a byte. */
import type { Source } from '../published.ts';

/** "Re: [PATCH v1 2/3] zinc: Introduce minimal cryptography library", https://lkml.iu.edu/hypermail/linux/kernel/1808.1/04493.html */
export const KERNEL_LIST: Source = {
  name: 'E. Biggers on the mailing list of the Linux kernel',
  date: 'August 2018',
  machine: 'Cortex-A7',
};

/** ChaCha20 of long messages in three forms of vector code, and in integers one block at a time. */
export const CHACHA20_CORTEX_A7 = {
  openssl: 13.9,
  linux: 11.9,
  improved: 11.3,
  integers: 12.2,
} as const;

/**
 * https://github.com/google/adiantum, specification/performance/output512 and output4096, the lines of NEON, which are cycles of
 * encryption; the paper is "Adiantum: length-preserving encryption for entry-level processors".
 */
export const ADIANTUM_REPOSITORY: Source = {
  name: 'P. Crowley and E. Biggers, tables of the repository google/adiantum',
  date: '2018',
  machine: 'Cortex-A7 with NEON',
};

/** Encryption of a sector, with XChaCha12. */
export const SECTORS_CORTEX_A7: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  Adiantum: { 512: 15.8, 4096: 10.6 },
  HPolyC: { 512: 18.6, 4096: 13.6 },
  'AES-256-XTS': { 512: 50.5, 4096: 48.9 },
};

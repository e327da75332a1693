/** The case study whose steps these are. Its figures are of V8 only; it promised those of other engines. */
import type { Source } from '../published.ts';

/**
 * https://blog.fleek.network/post/fleek-network-blake3-case-study/, and https://parsa.wtf/blake3, where its author
 * published it again under this date.
 */
export const CASE_STUDY: Source = {
  name: '"Blake3: A JavaScript Optimization Case Study", the blog of Fleek Network',
  date: 'April 2024',
  machine: 'V8 in Deno on an Apple M1 Max',
};

/** How many times as fast as Rust's WebAssembly without vectors each of these steps was. */
export const OVER_RUST: Readonly<Record<string, string>> = {
  '0 naive': '1/2000',
  '5 no copies': '3/4',
  '8 views': '1.6',
  '9 lanes': '2.21',
};

/** How many times as fast as the step before each step was; for which length, the case study does not say. */
export const GAINS: Readonly<Record<string, number>> = {
  '2 permutations': 1.6,
  '3 inlined': 1.24,
  '4 variables': 2.2,
  '5 no copies': 3,
  '6 message words': 1.5,
  '7 buffers': 1.02,
  '8 views': 1.48,
  '9 lanes': 1.39,
};

/** The blog of SpiderMonkey, "Saying goodbye to asm.js": the version of Firefox from which on asm.js is plain JavaScript. */
export const FIREFOX_WITHOUT_ASM = 148;

/** The case study whose steps these are. Its figures are of V8 only; it promised those of other engines. */
import type { Source } from '../published.ts';

/** https://blog.fleek.network/post/fleek-network-blake3-case-study/ */
export const CASE_STUDY: Source = {
  name: '"Blake3: A JavaScript Optimization Case Study", the blog of Fleek Network',
  date: 'no date given',
  machine: 'V8 only',
};

/** How many times as fast as the step before each step was. */
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

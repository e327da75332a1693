/**
 * Mutants that mean the same as their originals for a reason that no rule finds, and that a person has read in the code. A reading is of one
 * module's bytes: where these change, it says nothing, and mutations-readings.test.ts asks for its removal.
 */
import type { JudgedPlace } from './verdict-file.ts';

export interface Reading {
  readonly kernel: string;
  /** The first digits of the SHA-256 of the module. */
  readonly module: string;
  /** As `describeChange` says it. */
  readonly change: string;
  readonly why: string;
}

const call = (callee: number): string => `call{"callee":${callee}}`;
const get = (local: number): string => `local.get{"local":${local}}`;
const set = (local: number): string => `local.set{"local":${local}}`;
const word = (value: number): string => `i32.const{"value":${value}}`;
const store = (offset: number): string => `i32.store{"align":2,"offset":${offset}}`;

const reading = (
  kernel: string,
  module: string,
  before: string,
  after: string,
  [f, at]: readonly [number, number],
  why: string,
): Reading => ({
  kernel,
  module,
  change: `${before} in function ${f} became ${after} in function ${f}, at ${at}`,
  why,
});

const ONE_BLOCK =
  'for one block, the function that chooses by the number of blocks calls the one that makes one, and does no more';

const FIRST_EXPANDED =
  'the two bytes more are in the first word to which the function called next expands the key, and that function stores this word before it reads it';

export const READINGS: readonly Reading[] = [
  reading('chacha long relaxed', 'c1c0a68238cf', call(0), call(4), [5, 8190], ONE_BLOCK),
  reading('chacha long relaxed', 'c1c0a68238cf', call(4), call(0), [13, 9699], ONE_BLOCK),
  reading(
    'blake3 relaxed',
    '6e2132ff23ce',
    word(0),
    word(4),
    [11, 22585],
    "the flags of a parent's last block are ORed with the flags of all its blocks, which have PARENT, 4, already",
  ),
  reading(
    'argon2 swizzle',
    '3df5fc788407',
    set(5),
    set(7),
    [0, 344],
    'the local is zero from the start on this way, and the loop sets the other one before it reads it',
  ),
  reading(
    'secretbox-chacha scalar',
    'e40310f9f21d',
    store(2624),
    store(2628),
    [2, 1878],
    'the word is there already, and the next statement stores another one over it where it goes now',
  ),
  reading(
    'disk relaxed',
    '6a71be28b2e9',
    set(33),
    set(1),
    [19, 17223],
    'the local is zero until here, as only the loop after it sets it, and the parameter is read before only',
  ),
  reading(
    'disk relaxed',
    '6a71be28b2e9',
    get(32),
    get(33),
    [19, 15555],
    'the function gets eight pages at most, so its loop has two iterations at most: in the first, both locals are 0, and after the second this one is never read',
  ),
  reading('disk relaxed', '6a71be28b2e9', word(32), word(34), [31, 21409], FIRST_EXPANDED),
  reading('disk scalar', '44f10d05537c', word(32), word(34), [27, 9384], FIRST_EXPANDED),
];

/** A place with the verdicts on its mutants, among them those of readings. */
export const withReadings = (place: JudgedPlace): JudgedPlace => ({
  ...place,
  mutants: place.mutants.map((mutant) =>
    mutant.verdict.fate === 'equal' &&
    READINGS.some(({ module, change }) => module === place.module && change === mutant.change)
      ? { ...mutant, verdict: { fate: 'explained', reason: 'read by a person' } }
      : mutant,
  ),
});

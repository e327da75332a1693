/**
 * The main job: seals and opens a file's bytes with every contestant, checks all outputs, then times the contestants in
 * turns.
 */
import { equals, joined, type Output } from '../client/bytes.ts';
import { faultOfAead, messageOf, type Fault } from '../client/checks.ts';
import { TAG_BYTES, type Aead, type CipherContestant } from '../client/contestants/contestant.ts';
import { seeded } from '../client/random.ts';
import { sample, type Case, type Plan, type Samples } from '../client/sampler.ts';

/** The roles of contestants: the references are checked against each other, and all others against them. */
export interface Field {
  readonly ours: readonly CipherContestant[];
  /** The engine of ours that users get, with which all others are compared. */
  readonly auto: CipherContestant;
  readonly peers: readonly CipherContestant[];
  /** Two independent implementations among the peers. */
  readonly references: readonly [CipherContestant, CipherContestant];
}

export interface JobResult {
  readonly faults: readonly Fault[];
  /** References that could not handle the file, with the reasons. */
  readonly missing: readonly { readonly contestant: string; readonly reason: string }[];
  /** The contestants that could be timed, with nanoseconds for sealing and for opening the file. */
  readonly samples: Samples;
}

const CIPHER = 'xchacha20poly1305';
export const sealing = (contestant: CipherContestant): string => `${contestant.name} seal`;
export const opening = (contestant: CipherContestant): string => `${contestant.name} open`;

/** No two references agree, so there is nothing to check against. */
export class ReferencesDiffer extends Error {}

export function runJob(
  plaintext: Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
  field: Field,
  plan: Plan,
  show: (text: string) => void,
): JobResult {
  // Allocated once for all, so that memory does not grow with the number of contestants.
  const out = { sealed: new Uint8Array(plaintext.length + TAG_BYTES), opened: new Uint8Array(plaintext.length) };
  const missing: { contestant: string; reason: string }[] = [];
  const faults: Fault[] = [];

  let sealed: Uint8Array | undefined;
  for (const { name, aead } of field.references) {
    show(`sealing with ${name}`);
    let output: Output;
    try {
      output = aead(CIPHER, key, nonce).seal(plaintext, out.sealed);
    } catch (error) {
      missing.push({ contestant: name, reason: messageOf(error) });
      continue;
    }
    if (sealed !== undefined && !equals(output, sealed)) {
      throw new ReferencesDiffer(`${field.references.map(({ name }) => name).join(' and ')} disagree`);
    }
    sealed ??= joined(output);
  }
  if (sealed === undefined) throw new ReferencesDiffer('no reference could seal the file');
  const ciphertext = sealed;

  const everyone = [...field.ours, ...field.peers].filter(
    ({ name, unavailable }) => unavailable === undefined && !missing.some(({ contestant }) => contestant === name),
  );
  const right: { contestant: CipherContestant; aead: Aead }[] = [];
  for (const contestant of everyone) {
    show(`checking ${contestant.name}`);
    contestant.prepare?.();
    const aead = contestant.aead(CIPHER, key, nonce);
    const fault = faultOfAead(aead, plaintext, ciphertext, out);
    if (fault === undefined) right.push({ contestant, aead });
    else faults.push({ contestant: contestant.name, fault });
  }

  const cases = right.flatMap(({ contestant, aead }): Case[] => {
    const before = contestant.prepare;
    return [
      { id: sealing(contestant), before, run: () => void aead.seal(plaintext, out.sealed) },
      { id: opening(contestant), before, run: () => void aead.open(ciphertext, out.opened) },
    ];
  });
  const samples = sample(cases, plan, seeded(plaintext.length), {
    onRound: (round) => show(`measuring, round ${round + 1} of at most ${plan.rounds[1]}`),
  });
  return { faults, missing, samples };
}

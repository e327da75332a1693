// The claims about ChaCha and BLAKE3: each fails if its subject is changed. `npm run prove` proves all claims about the
// kernels that ship.
import { describe, expect, it } from 'vitest';
import { blake3Statements } from '../src/rooms/blake3/claims.ts';
import { chachaClaims, chachaStatements } from '../src/rooms/chacha/claims.ts';
import { formOf } from '../src/claims/form.ts';
import { boundsClaims } from '../src/claims/index.ts';
import { checkClaims } from '../src/claims/checks.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { onMachine } from '../src/claims/machine.ts';
import type { RunnableKernel } from '../src/claims/runnable.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { plantedIn } from '../src/mutations/faults.ts';
import * as terms from '../src/terms/term.ts';
import type { Term } from '../src/terms/term.ts';

const prove = async (claim: Claim): Promise<unknown> => {
  try {
    await claim.prove();
    return undefined;
  } catch (error) {
    return error;
  }
};
const expectProved = async (claim: Claim): Promise<void> => expect(await prove(claim), claim.claim).toBeUndefined();
const expectRefuted = async (claim: Claim, message?: RegExp): Promise<void> => {
  const error = await prove(claim);
  expect(error, claim.claim).toBeInstanceOf(Failure);
  if (message) expect((error as Failure).message).toMatch(message);
};

/** Once one is, the others have nothing to add. */
const expectOneRefuted = async (claims: readonly Claim[]): Promise<void> => {
  for (const claim of claims) if ((await prove(claim)) instanceof Failure) return;
  expect.fail(`none of ${claims.length} claims is refuted`);
};

it.each(kernels)('nothing in the memory map overlaps: $name', ({ map, memoryBytes }) => {
  map.forEach(({ from, to }, i) => {
    expect(from).toBeGreaterThanOrEqual(i ? map[i - 1].to : 0);
    expect(to).toBeGreaterThan(from);
  });
  expect(map.at(-1)!.to).toBeLessThanOrEqual(memoryBytes);
});

it.each(kernels)('static checks hold: $name', async (kernel) => {
  const claims = checkClaims(kernel);
  expect(claims).toHaveLength(4);
  for (const claim of claims) await expectProved(claim);
});

/** A change of a kernel's behaviour. */
interface Change {
  readonly bytes?: (bytes: Term[]) => Term[];
  readonly result?: (term: Term) => Term;
  readonly event?: boolean;
  readonly secret?: number;
}

/** Runs that see a kernel's behaviour with one change. */
function changed(kernel: RunnableKernel, { bytes, result, event, secret }: Change): RunnableKernel {
  return {
    ...kernel,
    start(ranges) {
      const run = kernel.start(ranges);
      return {
        get ranges() {
          return run.ranges;
        },
        set ranges(bounds) {
          run.ranges = bounds;
        },
        get events() {
          return event ? [...run.events, { kind: 'stray-write', what: 'planted' } as const] : run.events;
        },
        write: (address, values) => run.write(address, values),
        read: (address, length) => (bytes ?? ((found) => found))(run.read(address, length)),
        readWords: (address, count) => run.readWords(address, count),
        written: () => run.written(),
        secretBytes: () => [...run.secretBytes(), ...(secret === undefined ? [] : [secret])],
        call: (name, ...parameters) => {
          const found = run.call(name, ...parameters);
          return found && (result ?? ((term) => term))(found);
        },
      };
    },
  };
}

/** A bit of the last byte is other than it is. */
const lastBit = (bytes: Term[]): Term[] =>
  bytes.map((byte, i) => (i === bytes.length - 1 ? terms.xor(byte, terms.constant(8, 1)) : byte));

const subjects = {
  'ChaCha, for short messages': (change: Change): Claim[] => {
    const kernel = kernelOf('chacha short swizzle');
    return chachaStatements(changed(onMachine(kernel), change), formOf(kernel));
  },
  BLAKE3: (change: Change): Claim[] =>
    blake3Statements(changed(onMachine(kernelOf('blake3 scalar')), change), { lanes: false }),
};

describe.each(Object.entries(subjects))('%s: are refuted', (_, claimsOf) => {
  it.each(claimsOf({ event: true }))('by a stray write: $claim', async (claim) => {
    await expectRefuted(claim, /stray-write \(planted\)/);
  });

  const aboutBytes = claimsOf({ bytes: lastBit }).filter(({ claim }) => claim !== 'comparison of tags');
  it.each(aboutBytes)('by one bit of what is in memory: $claim', async (claim) => {
    await expectRefuted(claim, /differ/);
  });

  const verdicts = claimsOf({ result: (term) => terms.xor(term, terms.constant(32, 1)) });
  it.each(verdicts.filter(({ claim }) => /^(comparison of tags|prepare)/.test(claim)))(
    'by another verdict: $claim',
    async (claim) => {
      await expectRefuted(claim);
    },
  );
});

it.each(subjects['ChaCha, for short messages']({ secret: 100 }).filter(({ claim }) => claim.includes(': ciphertext')))(
  'refuted by a secret that is left: $claim',
  async (claim) => {
    await expectRefuted(claim, /1 bytes that depend on secrets are left, the first at 100/);
  },
);

describe('planted faults', () => {
  const faulty = ['chacha short relaxed', 'chacha long scalar'].flatMap((name) => plantedIn(kernelOf(name)));
  // Faults that only show in memory are for other claims.
  it.each(faulty.filter(({ found }) => found.as !== 'unwiped'))('$kernel.name: $planted', async ({ kernel }) => {
    await expectOneRefuted(chachaClaims(kernel));
  });

  it.each(faulty.filter(({ found }) => found.as === 'stray write'))(
    'bounds of $kernel.name: $planted',
    async ({ kernel }) => {
      await expectOneRefuted(boundsClaims(kernel));
    },
  );

  // Memory accesses that are permitted with vectors are excessive without them: work areas, and the blocks after the
  // last.
  it.each(['chacha long relaxed', 'blake3 swizzle'])('bounds of %s, if it had no vectors', async (name) => {
    const claims = boundsClaims({ ...kernelOf(name), form: 'scalar' });
    for (const claim of claims.filter(({ claim: text }) => !/additional data|absorb/.test(text)))
      await expectRefuted(claim, /over-read|stray-write/);
  });
});

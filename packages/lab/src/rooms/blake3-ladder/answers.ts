/**
 * The answers of the steps at more lengths than the known answer has, in the engine that runs this: around the edges of
 * blocks, chunks, groups and subtrees, in a buffer of its own and at an odd address.
 */
import { equals } from '../../client/bytes.ts';
import { messageOf } from '../../client/checks.ts';
import { steps as allSteps, type Step } from '../../kernels/blake3-ladder/steps.ts';

const EDGES = [64, 128, 1024, 2048, 3072, 4096, 5120, 8192, 16_384, 20_480, 32_768, 65_536, 69_632, 81_920, 131_072];
const lengths: readonly number[] = [0, 1, 3, ...EDGES.flatMap((edge) => [edge - 1, edge, edge + 1]), 200_000];
const ODD = 3;

type Hash = (message: Uint8Array) => Uint8Array;

interface Answer {
  readonly message: Uint8Array;
  readonly expected: Uint8Array;
  readonly where: string;
}

function answersOf(reference: Hash): readonly Answer[] {
  // The official vectors have this input.
  const all = Uint8Array.from({ length: Math.max(...lengths) + ODD }, (_, i) => i % 251);
  return lengths.flatMap((length) => {
    const odd = all.subarray(ODD, ODD + length);
    return [
      { message: all.slice(0, length), expected: reference(all.subarray(0, length)), where: '' },
      { message: odd, expected: reference(odd), where: ' at an odd address' },
    ];
  });
}

function faultOf(hash: Hash, answers: readonly Answer[]): string | undefined {
  try {
    const wrong = answers.find(({ message, expected }) => !equals(hash(message), expected));
    return wrong && `gives wrong bytes for ${wrong.message.length} bytes${wrong.where}`;
  } catch (error) {
    return `throws: ${messageOf(error)}`;
  }
}

/** By the names of the steps that have a fault. */
export async function faultsOf(steps: readonly Pick<Step, 'name' | 'load'>[]): Promise<ReadonlyMap<string, string>> {
  const { nobleBlake3 } = await import('../../client/contestants/noble.ts');
  const answers = answersOf(nobleBlake3.hash);
  const faults = new Map<string, string>();
  for (const { name, load } of steps) {
    // The contest reports those that cannot be loaded here.
    const step = await load().catch(() => undefined);
    const fault = step && faultOf(step.hash, answers);
    if (fault !== undefined) faults.set(name, fault);
  }
  return faults;
}

let all: Promise<ReadonlyMap<string, string>> | undefined;

/** The faults of steps, by their names. The steps are checked once in a session, before anything is timed. */
export const faultsOfSteps = (): Promise<ReadonlyMap<string, string>> => (all ??= faultsOf(allSteps));

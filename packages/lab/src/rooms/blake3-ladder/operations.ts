/** BLAKE3 in steps: the forms for study, beside the library and the official crate as WebAssembly. */
import type { Contestant } from '../../client/contestants/contestant.ts';
import { synchronous, type Entrant, type Operation } from '../../client/operation.ts';
import { steps, type Step } from '../../kernels/blake3-ladder/steps.ts';
import { blake3 } from '../blake3/operations.ts';

const OTHERS = ['lanewise', 'blake3-wasm', 'fuzdev'];

const entrant = ({ name, load }: Step): Entrant => ({
  library: name,
  async load() {
    const { hash } = await load();
    const contestant: Contestant = { name, library: 'study', standing: 'kernel', version: undefined };
    return [synchronous(contestant, () => hash)];
  },
});

export const blake3Ladder: Operation = {
  ...blake3,
  id: 'blake3-ladder/hash',
  entrants: [
    ...steps.map(entrant),
    // Copies, so that they give the known answer here as well.
    ...blake3.entrants.filter(({ library }) => OTHERS.includes(library)).map((other) => ({ ...other })),
  ],
};

export const operations: readonly Operation[] = [blake3Ladder];

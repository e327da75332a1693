/** The steps in their order. Each is loaded when it is needed: from step 9 on that compiles a module, which some hosts refuse. */

export interface Step {
  /** Stable, because ids of cases are made of it. */
  readonly name: string;
  /** The change that it makes, for lists. */
  readonly change: string;
  readonly load: () => Promise<{ readonly hash: (message: Uint8Array) => Uint8Array }>;
}

/** After the case study, which ends with the ninth. */
export const published: readonly Step[] = [
  {
    name: '0 naive',
    change: 'the reference implementation, as it is written down at first',
    load: () => import('./generated/0-naive.ts'),
  },
  {
    name: '1 full blocks',
    change: 'full blocks are read without a condition for each byte',
    load: () => import('./generated/1-full-blocks.ts'),
  },
  {
    name: '2 permutations',
    change: 'where the words are in each round is computed once',
    load: () => import('./generated/2-permutations.ts'),
  },
  {
    name: '3 inlined',
    change: 'the eight Gs of a round are written out, with constant indices',
    load: () => import('./generated/3-inlined.ts'),
  },
  {
    name: '4 variables',
    change: 'the state is sixteen variables instead of an array',
    load: () => import('./generated/4-variables.ts'),
  },
  {
    name: '5 no copies',
    change: 'values are read and written where they are; an array is made for a chunk, not for a block',
    load: () => import('./generated/5-no-copies.ts'),
  },
  {
    name: '6 message words',
    change: 'the words of the block are variables as well, which change places',
    load: () => import('./generated/6-message-words.ts'),
  },
  {
    name: '7 buffers',
    change: 'buffers are made once, not for each chunk and each message',
    load: () => import('./generated/7-buffers.ts'),
  },
  {
    name: '8 views',
    change: 'a little-endian host reads words through a view of the message, and copies the digest as it is',
    load: () => import('./8-views.ts'),
  },
  {
    name: '9 lanes',
    change: 'four chunks in four lanes, by WebAssembly that is made at run time; JavaScript transposes the words',
    load: () => import('./9-lanes.ts'),
  },
];

/** The library's additions, in steps. */
export const ours: readonly Step[] = [
  {
    name: '10 whole chunks',
    change: 'one call for four whole chunks, whose words are transposed by shuffles',
    load: () => import('./10-whole-chunks.ts'),
  },
  {
    name: '11 sets',
    change: 'one call for sixteen chunks, in four sets of lanes that take their rounds in turns',
    load: () => import('./11-sets.ts'),
  },
  {
    name: '12 parents',
    change: 'parents in lanes: the sixteen become one chaining value in the same call',
    load: () => import('./12-parents.ts'),
  },
  {
    name: '13 subtrees',
    change: 'subtrees of sixty-four chunks, whose levels fill all lanes for longer',
    load: () => import('./13-subtrees.ts'),
  },
  {
    name: '14 tail',
    change: 'what is shorter than a subtree is one call as well, with lanes that nothing fills',
    load: () => import('./14-tail.ts'),
  },
];

/** Beside the ladder. */
export const round: Step = {
  name: 'round inlined',
  change: 'the third step as the case study takes it, with the round written out and G a function',
  load: () => import('./generated/3-round-only.ts'),
};

/** Beside the ladder. */
export const asm: Step = {
  name: 'asm.js',
  change: 'step seven in asm.js, over a heap of its own',
  load: () => import('./asm.ts'),
};

export const steps: readonly Step[] = [...published.slice(0, 3), round, ...published.slice(3), asm, ...ours];

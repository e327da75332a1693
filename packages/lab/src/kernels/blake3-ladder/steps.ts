/** The steps in their order. Each is loaded when it is needed: from step 9 on that compiles a module, which some hosts refuse. */

export interface Step {
  /** Stable, because ids of cases are made of it. */
  readonly name: string;
  /** In this folder. */
  readonly file: string;
  /** What it changes, for lists. */
  readonly change: string;
  readonly load: () => Promise<{ readonly hash: (message: Uint8Array) => Uint8Array }>;
}

/** After the case study, which ends with the ninth. */
export const published: readonly Step[] = [
  {
    name: '0 naive',
    file: '0-naive.ts',
    change: 'the reference implementation, as it is written down at first',
    load: () => import('./0-naive.ts'),
  },
  {
    name: '1 full blocks',
    file: '1-full-blocks.ts',
    change: 'full blocks are read without a condition for each byte',
    load: () => import('./1-full-blocks.ts'),
  },
  {
    name: '2 permutations',
    file: '2-permutations.ts',
    change: 'where the words are in each round is computed once',
    load: () => import('./2-permutations.ts'),
  },
  {
    name: '3 inlined',
    file: '3-inlined.ts',
    change: 'the eight Gs of a round are written out, with constant indices',
    load: () => import('./3-inlined.ts'),
  },
  {
    name: '4 variables',
    file: '4-variables.ts',
    change: 'the state is sixteen variables instead of an array',
    load: () => import('./4-variables.ts'),
  },
  {
    name: '5 no copies',
    file: '5-no-copies.ts',
    change: 'values are read and written where they are; an array is made for a chunk, not for a block',
    load: () => import('./5-no-copies.ts'),
  },
  {
    name: '6 message words',
    file: '6-message-words.ts',
    change: 'the words of the block are variables as well, which change places',
    load: () => import('./6-message-words.ts'),
  },
  {
    name: '7 buffers',
    file: '7-buffers.ts',
    change: 'buffers are made once, not for each chunk and each message',
    load: () => import('./7-buffers.ts'),
  },
  {
    name: '8 views',
    file: '8-views.ts',
    change: 'a little-endian host reads words through a view of the message, and copies the digest as it is',
    load: () => import('./8-views.ts'),
  },
  {
    name: '9 lanes',
    file: '9-lanes.ts',
    change: 'four chunks in four lanes, by WebAssembly that is made at run time; JavaScript transposes the words',
    load: () => import('./9-lanes.ts'),
  },
];

/** What the library does in addition, in steps. */
export const ours: readonly Step[] = [
  {
    name: '10 whole chunks',
    file: '10-whole-chunks.ts',
    change: 'one call for four whole chunks, whose words are transposed by shuffles',
    load: () => import('./10-whole-chunks.ts'),
  },
  {
    name: '11 sets',
    file: '11-sets.ts',
    change: 'one call for sixteen chunks, in four sets of lanes that take their rounds in turns',
    load: () => import('./11-sets.ts'),
  },
  {
    name: '12 parents',
    file: '12-parents.ts',
    change: 'parents in lanes: the sixteen become one chaining value in the same call',
    load: () => import('./12-parents.ts'),
  },
  {
    name: '13 subtrees',
    file: '13-subtrees.ts',
    change: 'subtrees of sixty-four chunks, whose levels fill all lanes for longer',
    load: () => import('./13-subtrees.ts'),
  },
  {
    name: '14 tail',
    file: '14-tail.ts',
    change: 'what is shorter than a subtree is one call as well, with lanes that nothing fills',
    load: () => import('./14-tail.ts'),
  },
];

/** Beside the ladder. */
export const round: Step = {
  name: 'round inlined',
  file: '3-round-only.ts',
  change: 'the third step as the case study takes it, with the round written out and G a function',
  load: () => import('./3-round-only.ts'),
};

/** Beside the ladder. */
export const asm: Step = {
  name: 'asm.js',
  file: 'asm.ts',
  change: 'step seven in asm.js, over a heap of its own',
  load: () => import('./asm.ts'),
};

export const steps: readonly Step[] = [...published.slice(0, 3), round, ...published.slice(3), asm, ...ours];

/** The steps in their order; the study's page has the change that each makes. Each is loaded when it is needed: from step 9 on that compiles a module, which some hosts refuse. */

export interface Step {
  /** Stable, because ids of cases are made of it. */
  readonly name: string;
  readonly load: () => Promise<{ readonly hash: (message: Uint8Array) => Uint8Array }>;
}

/** After the case study, which ends with the ninth. */
export const published: readonly Step[] = [
  { name: '0 naive', load: () => import('./generated/0-naive.ts') },
  { name: '1 full blocks', load: () => import('./generated/1-full-blocks.ts') },
  { name: '2 permutations', load: () => import('./generated/2-permutations.ts') },
  { name: '3 inlined', load: () => import('./generated/3-inlined.ts') },
  { name: '4 variables', load: () => import('./generated/4-variables.ts') },
  { name: '5 no copies', load: () => import('./generated/5-no-copies.ts') },
  { name: '6 message words', load: () => import('./generated/6-message-words.ts') },
  { name: '7 buffers', load: () => import('./generated/7-buffers.ts') },
  { name: '8 views', load: () => import('./8-views.ts') },
  { name: '9 lanes', load: () => import('./9-lanes.ts') },
];

/** The library's additions, in steps. */
export const ours: readonly Step[] = [
  { name: '10 whole chunks', load: () => import('./10-whole-chunks.ts') },
  { name: '11 sets', load: () => import('./11-sets.ts') },
  { name: '12 parents', load: () => import('./12-parents.ts') },
  { name: '13 subtrees', load: () => import('./13-subtrees.ts') },
  { name: '14 tail', load: () => import('./14-tail.ts') },
];

/** Beside the ladder. */
export const round: Step = { name: 'round inlined', load: () => import('./generated/3-round-only.ts') };

/** Beside the ladder. */
export const asm: Step = { name: 'asm.js', load: () => import('./asm.ts') };

export const steps: readonly Step[] = [...published.slice(0, 3), round, ...published.slice(3), asm, ...ours];

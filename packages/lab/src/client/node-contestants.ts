/** Contestants that exist in Node only. */
export type NodeContestants = typeof import('./node/bcrypto.ts') &
  typeof import('./node/file.ts') &
  typeof import('./node/native.ts') &
  typeof import('./node/node-crypto.ts');

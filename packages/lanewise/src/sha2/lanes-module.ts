/** The module of SHA-256 for messages side by side. The memory map is map.ts's. */
import { Module } from '../wasm/module.ts';
import { defineLanes } from './lanes.ts';
import { LANES_PAGES } from './map.ts';

/** The exported functions for messages of SHA-256 side by side. CONSTANTS has the constants, LANES_INITIAL the initial value. */
export interface Functions {
  /** The initial value goes to a lane. */
  begin(lane: number): void;
  /** Hashes `blocks` blocks of each lane, at least one, from the start of its stage on. */
  compress(blocks: number): void;
  /** The digests of all lanes go to LANES_DIGESTS. */
  digests(): void;
}

export function sha256LanesModule(vectors: boolean): Module {
  const module = new Module(LANES_PAGES);
  defineLanes(module, vectors);
  return module;
}

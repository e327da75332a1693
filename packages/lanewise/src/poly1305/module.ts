/** The module of Poly1305 alone. */
import { KEY, PAGES, STAGE, STATE, TAG } from './map.ts';
import { Module } from '../wasm/module.ts';
import { absorbLast, poly1305, type Arithmetic } from './kernel.ts';

/** The exported functions. */
export interface Functions {
  /** Makes the state from the one-time key that is in it. */
  start(): void;
  /** Absorbs `blocks` whole blocks of STAGE. */
  absorb(blocks: number): void;
  /** Absorbs the last bytes, which are in STAGE, and leaves the tag in TAG. */
  finish(length: number): void;
  /** `start` and `finish` */
  mac(length: number): void;
}

export function poly1305Module(arithmetic: Arithmetic): Module {
  const module = new Module(PAGES);
  const mac = poly1305(module, STATE, arithmetic);

  const start = module.define('start', [], undefined, () => [mac.start(STATE + KEY)]);
  module.define('absorb', ['i32'], undefined, (_, blocks) => [mac.absorb(STAGE, blocks)]);
  const finish = module.define('finish', ['i32'], undefined, (_, length) => [
    ...absorbLast(mac, STAGE, length),
    mac.finish(TAG),
  ]);
  module.define('mac', ['i32'], undefined, (_, length) => [start(), finish(length)]);
  return module;
}

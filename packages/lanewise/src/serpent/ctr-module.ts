/** The module of Serpent in CTR mode (NIST SP 800-38A, §6.5), apart from the others so that it is small. */
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import { defineScalarBlocks, defineSchedule, encryption } from './kernel.ts';
import { BLOCK, STAGE, PAGES, WORK } from './map.ts';
import { defineLaneCtr, defineScalarCounters } from './counters-kernel.ts';
import type { Form } from './module.ts';
import { eachRow, GROUP, scalarSum } from './rows.ts';

/** The exported function. */
export interface Functions {
  /**
   * XORs the keystream onto one or more blocks at STAGE, and advances COUNTER. With `key`, the round keys are made from
   * the key at KEY first; without, those of the last call are used. `big` is 0 for a little-endian counter.
   */
  ctr(key: number, big: number, blocks: number): void;
}

export function serpentCtrModule({ lanes = false }: Form): Module {
  const module = new Module(PAGES);
  const schedule = defineSchedule(module);
  const encrypt = defineScalarBlocks(module, encryption());
  const counters = defineScalarCounters(module);

  /** The scalar function: groups of as many blocks as WORK has room for. */
  const inTurn = module.define(undefined, ['i32', 'i32'], undefined, (frame, big, blocks) => {
    const [address, count, row, end] = frame.locals('i32', 4);
    return [
      set(address, i32.value(STAGE)),
      loop(
        sequence(
          set(count, i32.value(GROUP)),
          when(i32.lt_u(blocks, GROUP), set(count, blocks)),
          counters(big, count),
          encrypt(WORK, WORK, count),
          eachRow(
            row,
            end,
            count,
            scalarSum([address, 0], [address, 0], [row, WORK]),
            set(address, i32.add(address, BLOCK)),
          ),
        ),
        tee(blocks, i32.sub(blocks, count)),
      ),
    ];
  });
  const inLanes = lanes ? defineLaneCtr(module) : undefined;
  module.define('ctr', ['i32', 'i32', 'i32'], undefined, (_, key, big, blocks) => [
    when(key, schedule()),
    // A single block would fill one lane of four, so it takes the scalar function.
    inLanes ? when(i32.eq(blocks, 1), inTurn(big, blocks), inLanes(big, blocks)) : inTurn(big, blocks),
  ]);
  return module;
}

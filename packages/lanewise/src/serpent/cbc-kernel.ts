/** Serpent in CBC mode (NIST SP 800-38A, §6.2), in place on the blocks at STAGE. The memory map is serpent.ts's. */
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { BLOCK, STAGE, WORK } from './map.ts';
import { eachRow, GROUP, type Cipher } from './rows.ts';

/** §6.2: (blocks), one or more. Each block is chained to the one before it in memory. */
export const defineCbcEncrypt = ({ module, encrypt, sum }: Cipher) =>
  module.define(undefined, ['i32'], undefined, (frame, blocks) => {
    const address = frame.local('i32');
    return [
      set(address, i32.value(STAGE)),
      loop(
        sequence(
          sum([address, 0], [address, 0], [i32.sub(address, BLOCK), 0]),
          encrypt(address, address, 1),
          set(address, i32.add(address, BLOCK)),
        ),
        tee(blocks, i32.sub(blocks, 1)),
      ),
    ];
  });

/** §6.2: (blocks), one or more. From the last group to the first, because each block needs the one before it. */
export const defineCbcDecrypt = ({ module, decrypt, sum }: Cipher) =>
  module.define(undefined, ['i32'], undefined, (frame, blocks) => {
    const [address, count, row] = frame.locals('i32', 3);
    return [
      loop(
        sequence(
          set(count, i32.add(i32.and(i32.sub(blocks, 1), GROUP - 1), 1)),
          set(blocks, i32.sub(blocks, count)),
          set(address, i32.add(STAGE, i32.shl(blocks, 4))),
          decrypt(address, WORK, count),
          set(row, i32.shl(count, 4)),
          set(address, i32.add(address, row)),
          loop(
            sequence(
              set(row, i32.sub(row, BLOCK)),
              set(address, i32.sub(address, BLOCK)),
              sum([address, 0], [row, WORK], [i32.sub(address, BLOCK), 0]),
            ),
            row,
          ),
        ),
        blocks,
      ),
    ];
  });

/**
 * §6.2: (streams, stride, blocks), one or more of each. The streams begin at STAGE, `stride` bytes apart. WORK has the
 * block before each stream, and afterwards its last block.
 */
export const defineCbcMany = ({ module, encrypt, sum }: Cipher) =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, streams, stride, blocks) => {
    const [first, address, row, end] = frame.locals('i32', 4);
    const next = set(address, i32.add(address, stride));
    return [
      set(first, i32.value(STAGE)),
      loop(
        sequence(
          set(address, first),
          eachRow(row, end, streams, sum([row, WORK], [row, WORK], [address, 0]), next),
          encrypt(WORK, WORK, streams),
          set(address, first),
          eachRow(row, end, streams, sum([address, 0], [row, WORK]), next),
          set(first, i32.add(first, BLOCK)),
        ),
        tee(blocks, i32.sub(blocks, 1)),
      ),
    ];
  });

/** The first message that a process hashes. */
import type { FirstMessage } from '../../first/first-message.ts';

const hash = (from: string, length: number): string =>
  `import { blake3 } from '${from}';\nblake3(new Uint8Array(${length}));\n`;

export const firstMessage: FirstMessage = {
  primitive: 'BLAKE3',
  done: 'hashed',
  programs: {
    lanewise: (length) => hash('lanewise/blake3.js', length),
    noble: (length) => hash('@noble/hashes/blake3.js', length),
  },
};

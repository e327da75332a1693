/** The first message that a process seals. */
import type { FirstMessage } from '../../first/first-message.ts';

const seal = (from: string, length: number): string =>
  `import { xchacha20poly1305 } from '${from}';\n` +
  `xchacha20poly1305(new Uint8Array(32), new Uint8Array(24)).encrypt(new Uint8Array(${length}));\n`;

export const firstMessage: FirstMessage = {
  primitive: 'XChaCha20-Poly1305',
  done: 'sealed',
  programs: {
    lanewise: (length) => seal('lanewise/chacha.js', length),
    noble: (length) => seal('@noble/ciphers/chacha.js', length),
  },
};

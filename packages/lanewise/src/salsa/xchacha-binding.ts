/**
 * The kernel of secretbox with XChaCha20, for messages of all lengths. It isn't part of binding.ts because the modules that
 * `lanewise/nacl.js` shares with other doors would then have its text too.
 */
import { secretboxChachaScalar, secretboxChachaVectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { makePlain } from '../engine/plain.ts';
import { secretboxChacha } from '../js/generated/secretbox-chacha.ts';
import * as layout from '../keystream/map.ts';
import { selfTest } from './binding.ts';
import type { Functions } from './module.ts';

export const secretboxChachaKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: secretboxChachaVectors, toPlain: makePlain, scalar: secretboxChachaScalar },
  js: secretboxChacha,
  pages: layout.PAGES,
  secrets: layout.AAD,
  selfTest: /* @__PURE__ */ selfTest(1300, 0xfb0ca707),
};
export const secretboxChachaInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(secretboxChachaKernel);

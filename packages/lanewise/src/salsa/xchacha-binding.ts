/** The kernel of secretbox with XChaCha20. One serves messages of all lengths. */
import { instantiated, type Instance, type Kernel } from '../engine/instance.ts';
import { secretboxChacha } from '../js/generated/secretbox-chacha.ts';
import { integers } from '../poly1305/kernel.ts';
import { chachaCore, secretboxModule, type SecretboxKernel } from './module.ts';
import { AAD, PAGES } from '../keystream/map.ts';
import { answers } from './secretbox-answer.ts';

export const secretboxChachaKernel: Kernel<SecretboxKernel> = {
  lanes: true,
  wasm: (lanes) => secretboxModule(chachaCore, { lanes, arithmetic: integers }).bytes(),
  js: secretboxChacha,
  pages: PAGES,
  secrets: AAD,
  right: /* @__PURE__ */ answers(1300, 0xfb0ca707),
};
export const secretboxChachaInstance: () => Instance<SecretboxKernel> =
  /* @__PURE__ */ instantiated(secretboxChachaKernel);

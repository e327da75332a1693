/** The kernel of Poly1305 alone. */
import { instantiated, PAGE_BYTES } from './engine/instance.ts';
import { poly1305 as poly1305InJavaScript } from './js/generated/poly1305.ts';
import { integers } from './kernels/poly1305.ts';
import { PAGES, poly1305Module, type Poly1305Functions } from './kernels/poly1305-module.ts';

export const poly1305Instance = /* @__PURE__ */ instantiated<Poly1305Functions>({
  lanes: false,
  wasm: () => poly1305Module(integers).bytes(),
  js: poly1305InJavaScript,
  memoryBytes: PAGES * PAGE_BYTES,
});

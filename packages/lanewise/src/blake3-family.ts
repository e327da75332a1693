/** The kernels of BLAKE3. */
import { instantiated, PAGE_BYTES, type Instance } from './engine/instance.ts';
import { blake3 as blake3InJavaScript } from './js/generated/blake3.ts';
import * as layout from './kernels/blake3.ts';
import { blake3Module, type Blake3 } from './kernels/blake3-module.ts';

const long = /* @__PURE__ */ instantiated<Blake3>({
  lanes: true,
  wasm: (lanes) => blake3Module({ lanes }).bytes(),
  js: blake3InJavaScript,
  memoryBytes: layout.PAGES * PAGE_BYTES,
});

/** Two chunks have no use for lanes, and a kernel without them is there in a third of the time. */
const short = /* @__PURE__ */ instantiated<Blake3>({
  lanes: false,
  wasm: () => blake3Module({}).bytes(),
  js: { larger: long },
  memoryBytes: layout.PAGES * PAGE_BYTES,
});

const SHORT_BYTES = 2048;

/** The instance for `length` bytes of message or output. */
export const blake3Instance = (length: number): Instance<Blake3> => (length <= SHORT_BYTES ? short() : long());

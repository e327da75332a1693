/** Instances of the kernel of Argon2 over one memory, which threads share. */
import { decoded } from '../engine/bytes.ts';
import { PAGE_BYTES } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyBytes, floor, hosted, part } from '../engine/intrinsics.ts';
import { sectionsOf } from '../engine/own-memory.ts';
import { argon2Instance, weak } from './binding.ts';
import { host, kernelOver, type Shared } from './jobs.ts';

const SharedMemory = /* @__PURE__ */ hosted<unknown>('SharedArrayBuffer');

/** The numbers of sections. Core specification §5.5 */
const FUNCTIONS = 3;
const MEMORIES = 5;
const EXPORTS = 7;
/** The section of imports: the memory `m` of `l`, shared, of 0 to 65536 pages. */
const IMPORTS = '020b01016c016d020300808004';

/** The bytes of a module that imports its memory, which is shared, in place of one that has it. Nothing else is changed. */
export function withImportedMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const starts = sectionsOf(bytes);
  const parts = [
    part(bytes, 0, starts[FUNCTIONS]),
    decoded(IMPORTS),
    part(bytes, starts[FUNCTIONS], starts[MEMORIES] - starts[FUNCTIONS]),
    part(bytes, starts[EXPORTS], byteLengthOf(bytes) - starts[EXPORTS]),
  ];
  const made = new Bytes(parts.reduce((sum, its) => sum + byteLengthOf(its), 0));
  let at = 0;
  for (const its of parts) {
    copyBytes(made, its, at);
    at += byteLengthOf(its);
  }
  return made;
}

/** The last module that was compiled: engines have optimised its code, and threads share that. */
let compiled: WebAssembly.Module | undefined;
let compiledAs: string | undefined;
/** The memory of the last derivation, wiped: fresh memory takes a third of the time of a derivation. */
let spare: object | undefined;

/** Memory of `bytes` bytes at least; undefined where there is none to share, or the engine that runs the kernel has no module to post. */
export function sharedKernel(bytes: number): Shared | undefined {
  const { text } = argon2Instance();
  const pages = floor((bytes - 1) / PAGE_BYTES) + 1;
  const found = spare && (weak!.deref(spare) as Shared | undefined);
  spare = undefined;
  if (!text || !SharedMemory()) return undefined;
  try {
    let shared: Omit<Shared, 'kernel'> | undefined = found;
    if (!found || byteLengthOf(found.kernel.memory) !== pages * PAGE_BYTES || text !== compiledAs) {
      if (text !== compiledAs) compiled = new (host()!.Module)(withImportedMemory(decoded(text)));
      compiledAs = text;
      const memory = new (host()!.Memory)({ initial: pages, maximum: pages, shared: true });
      shared = { memory, module: compiled!, text };
    }
    // A kernel of its own: the engine may be another one now.
    return { ...shared!, kernel: kernelOver(shared!) };
  } catch {
    return undefined;
  }
}

/** Takes memory back that is wiped, and that no thread has a job for. */
export const giveBackShared = (shared: Shared): void => void (spare = weak && new weak.Reference(shared));

/** Parts of the host that pools and workers need. */
import { hosted } from '../engine/intrinsics.ts';

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
  readonly versions?: { readonly node?: string };
}

const process = /* @__PURE__ */ hosted<NodeProcess>('process');

/** A module of Node, Bun or Deno. Undefined elsewhere, and in a Node that gives modules to `import` only, which bundlers would follow. */
export const builtin = (name: string): unknown => process()?.getBuiltinModule?.(name);

/** Whether this is Node, or claims to be. */
export const isNode = (): boolean => process()?.versions?.node !== undefined;

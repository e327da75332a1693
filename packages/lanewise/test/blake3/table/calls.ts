/** Calls of `lanewise/blake3.js`, by `door.name` or `Type.method`. */
import * as blake3 from '../../../src/blake3.ts';
import { bytes, fn, key, message, methods, of, text, type Call } from '../../support/call.ts';

const part = (offset: number) => blake3.subtree(message.subarray(offset, offset + 1024), { offset });

export const calls: Readonly<Record<string, Call>> = {
  'blake3.blake3': fn(blake3.blake3, text, { dkLen: 3 }),
  'blake3.blake3.create': of(() => blake3.blake3, 'create', { dkLen: 3 }),
  'blake3.blake3.load': of(() => blake3.blake3, 'load', blake3.blake3.create().save()),
  'blake3.hash': fn(blake3.hash, text, { dkLen: 3 }),
  'blake3.hashMany': fn(blake3.hashMany, [text], { dkLen: 3 }),
  'blake3.maxSubtreeLength': fn(blake3.maxSubtreeLength, 1024),
  'blake3.subtree': fn(blake3.subtree, text, { offset: 0 }),
  'blake3.subtreeFrom': fn(blake3.subtreeFrom, part(1024), { key }),
  'blake3.merge': fn(blake3.merge, part(0), part(1024)),
  'blake3.root': fn(blake3.root, part(0), part(1024), 64),
  'blake3.rootXof': fn(blake3.rootXof, part(0), part(1024)),
  'blake3.TreeBuilder': {
    call: (...extra) => new (blake3.TreeBuilder as unknown as new (...values: unknown[]) => unknown)(...extra),
    most: 0,
    takesOptions: false,
  },
  ...methods('TreeBuilder', () => new blake3.TreeBuilder().add(part(0)), { add: [part(1024)] }),
  ...methods('TreeBuilder', () => new blake3.TreeBuilder().add(part(0)).add(part(1024)), { digest: [64], xof: [] }),
  ...methods('Blake3', () => blake3.blake3.create(), {
    update: [text],
    digest: [],
    digestInto: [bytes(32)],
    peek: [3],
    xof: [3],
    xofInto: [bytes(3)],
    seek: [3],
    clone: [],
    save: [],
    reset: [],
    destroy: [],
  }),
};

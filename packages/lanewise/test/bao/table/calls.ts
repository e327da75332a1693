/** Calls of `lanewise/bao.js`, by `door.name` or `Type.method`. */
import * as bao from '../../../src/bao.ts';
import { VerifiedReader } from '../../../src/bao/reader.ts';
import { blake3 } from '../../../src/blake3.ts';
import { bytes, fn, Later, methods, of, type Call } from '../../support/call.ts';

const content = bytes(5);
const hash = blake3(content);
/** One group: the length, then the content. */
const encoded = Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0, ...content);
const header = encoded.slice(0, 8);
/** Options show an effect only later: the tests of the room read them. */
const promised = (call: Call): Call => ({ ...call, takesOptions: false });
const signal = new Later(() => new AbortController().signal);
const hasher = (): bao.OutboardHasher => bao.outboard.create().update(content);
const saved = hasher().save();
/** A reader of a tree of one group, which is there. */
const reader = (): bao.VerifiedReader =>
  new VerifiedReader({ origin: {} as never, hash, groupLength: 1024, checker: undefined as never }, 5, undefined);

export const calls: Readonly<Record<string, Call>> = {
  'bao.encode': promised(fn(bao.encode, content, { groupLength: 1024 })),
  'bao.outboard': promised(fn(bao.outboard, content, { groupLength: 1024 })),
  'bao.outboard.create': of(() => bao.outboard, 'create', { groupLength: 1024 }),
  'bao.outboard.load': of(() => bao.outboard, 'load', saved),
  'bao.decode': promised(fn(bao.decode, encoded, hash, { groupLength: 1024 })),
  'bao.slice': promised(fn(bao.slice, encoded, 0, 5, { groupLength: 1024 })),
  'bao.decodeSlice': promised(fn(bao.decodeSlice, encoded, hash, 0, 5, { groupLength: 1024 })),
  'bao.verified': promised(fn(bao.verified, content, hash, { outboard: header })),
  'bao.verifiedReader': promised(fn(bao.verifiedReader, content, hash, { outboard: header })),
  ...methods('OutboardHasher', hasher, { update: [content], digest: [], save: [], destroy: [] }),
  'VerifiedReader.read': promised(of(reader, 'read', 0, 0, signal)),
  'VerifiedReader.destroy': of(reader, 'destroy'),
};

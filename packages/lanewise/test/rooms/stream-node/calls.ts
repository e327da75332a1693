/** Calls of `lanewise/stream-node.js`, which only hosts with streams of Node can load. */
import { createDecryptor, createEncryptor } from '../../../src/stream-node.ts';
import { chunked } from '../../../src/stream.ts';
import { fn, key, type Call } from '../../support/call.ts';

/** The options are those of `chunked.encryptor`: stream-node.test.ts and stream-web-errors.test.ts test them. */
const options = (call: Call): Call => ({ ...call, takesOptions: false });

export const calls: Readonly<Record<string, Call>> = {
  'stream-node.createEncryptor': options(fn(createEncryptor, chunked, key, { size: 48 })),
  'stream-node.createDecryptor': options(fn(createDecryptor, chunked, key, { size: 48 })),
};

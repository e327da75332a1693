/** Calls of `lanewise/stream-node.js`, which only hosts with streams of Node can load. */
import { createDecryptor, createEncryptor, newFile } from '../../../src/stream-node.ts';
import { chunked } from '../../../src/stream.ts';
import { fn, key, Later, type Call } from '../../support/call.ts';

/** The options are those of `chunked(key).encryptor`: stream/node.test.ts and stream/web-errors.test.ts test them. */
const options = (call: Call): Call => ({ ...call, takesOptions: false });

export const calls: Readonly<Record<string, Call>> = {
  'stream-node.createEncryptor': options(fn(createEncryptor, new Later(() => chunked(key)), { size: 48 })),
  'stream-node.createDecryptor': options(fn(createDecryptor, new Later(() => chunked(key)), { size: 48 })),
  // stream/node-file.test.ts tests its options.
  'stream-node.newFile': options(fn(newFile, '/', { mode: 0o600 })),
  'stream-node.newFile().createWritable': {
    // A folder isn't a file, and the promise tells that.
    call: () =>
      newFile('/')
        .createWritable()
        .catch(() => undefined),
    most: 0,
    takesOptions: false,
    passed: 'that of a FileSystemFileHandle, whose place it takes, has options',
  },
};

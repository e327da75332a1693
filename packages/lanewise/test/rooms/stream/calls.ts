/** Calls of `lanewise/stream.js`, by `door.name` or `Type.method`. */
import * as stream from '../../../src/stream.ts';
import { sample, unhex } from '../../support/bytes.ts';
import { bytes, key, Later, methods, of, text, type Call } from '../../support/call.ts';

const { agePayload, chunked, secretstream } = stream;
const ad = sample(5, 7);
const header = bytes(24);
/** A salt of zeros and the commitment to `key` and `ad`, by HKDF-Expand of node:crypto. */
const chunkedHeader = unhex(`${'00'.repeat(24)}3957b373300b1f8e5abd9951c2e2da589b968b875f7a7c711456a1313f63e0e4`);

/** A call whose options are read at once but show an effect only in its promise: stream-chunked.test.ts tests them. */
const promised = (call: Call): Call => ({ ...call, takesOptions: false });
const sizes = (name: string, its: stream.StreamSizes, size: number) => ({
  [`stream.${name}.ciphertextSize`]: of(() => its, 'ciphertextSize', size),
  [`stream.${name}.plaintextSize`]: of(() => its, 'plaintextSize', size),
});
const makeSealer = (): stream.MessageSealer => secretstream.sealer(key);

/** A message that only its sealer's header opens. */
const made = (): { opener: stream.MessageOpener; message: Uint8Array } => {
  const sealer = makeSealer();
  return { message: sealer.push(text, undefined, { ad }), opener: secretstream.opener(key, { header: sealer.header }) };
};
let message: Uint8Array;
const openerOfMessage = (): stream.MessageOpener => {
  const its = made();
  ({ message } = its);
  return its.opener;
};
const openerAtEnd = (): stream.MessageOpener => {
  const sealer = makeSealer();
  const opener = secretstream.opener(key, { header: sealer.header });
  opener.push(sealer.end());
  return opener;
};
const openerOfChunk = (): stream.Opener => {
  const sealer = agePayload.sealer(key);
  sealer.push(text);
  const opener = agePayload.opener(key);
  opener.push(sealer.end());
  return opener;
};

export const calls: Readonly<Record<string, Call>> = {
  'stream.agePayload.sealer': of(() => agePayload, 'sealer', key),
  'stream.agePayload.opener': of(() => agePayload, 'opener', key),
  ...sizes('agePayload', agePayload, 100),
  'stream.chunked.sealer': promised(of(() => chunked, 'sealer', key, { context: ad })),
  'stream.chunked.opener': promised(of(() => chunked, 'opener', key, { header: chunkedHeader, context: ad })),
  ...sizes('chunked', chunked, 100),
  'stream.secretstream.sealer': of(() => secretstream, 'sealer', key),
  'stream.secretstream.opener': of(() => secretstream, 'opener', key, { header, requireFinal: false }),
  ...sizes('secretstream', secretstream, 100),
  ...methods('Sealer', () => agePayload.sealer(key), {
    outputLength: [5],
    push: [text, bytes(0)],
    end: [bytes(16)],
    destroy: [],
  }),
  ...methods('Opener', () => agePayload.opener(key), { outputLength: [5], push: [text, bytes(0)], destroy: [] }),
  'Opener.end': of(openerOfChunk, 'end', bytes(48)),
  ...methods('MessageSealer', makeSealer, {
    outputLength: [5],
    push: [text, bytes(65), { tag: 1, ad }],
    end: [bytes(17)],
    rekey: [],
    destroy: [],
  }),
  ...methods('MessageOpener', openerOfMessage, {
    outputLength: [50],
    push: [new Later(() => message), bytes(48), { ad }],
    rekey: [],
    destroy: [],
  }),
  'MessageOpener.end': of(openerAtEnd, 'end', bytes(0)),
};

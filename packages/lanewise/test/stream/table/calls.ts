/** Calls of `lanewise/stream.js`, by `door.name` or `Type.method`. */
import { CHUNKING } from '../../../src/stream/chunked.ts';
import { Reader } from '../../../src/stream/reader.ts';
import * as stream from '../../../src/stream.ts';
import { concat, sample, unhex } from '../../support/bytes.ts';
import { bytes, fn, key, Later, methods, of, text, type Call } from '../../support/call.ts';
import { chunksOf } from '../../support/stream.ts';

const { agePayload, chunked, fetchRange, randomAccess, secretstream } = stream;
const ad = sample(5, 7);
const header = bytes(24);
/** A salt of zeros and the commitment to `key` and `ad`, by HKDF-Expand of node:crypto. */
const chunkedHeader = unhex(`${'00'.repeat(24)}3957b373300b1f8e5abd9951c2e2da589b968b875f7a7c711456a1313f63e0e4`);

/** A call whose options are read at once but show an effect only later: stream/chunked.test.ts and stream/web*.test.ts test them. */
const promised = (call: Call): Call => ({ ...call, takesOptions: false });
/** Streams of no bytes under `key` and `ad`: headers, and tags by ChaCha20-Poly1305 of node:crypto. */
const emptyChunked = concat(chunkedHeader, unhex('c72ab4eb350cd37284ac66cc08b42fec'));
const emptyAge = unhex('6dc864bffac81ab6a68142e2705c92f1');
const newSignal = (): AbortSignal => new AbortController().signal;
const signal = new Later(newSignal);
/** Options with a signal that is made when they are read. */
const until = (others: object): object => Object.defineProperty({ ...others }, 'signal', { get: newSignal });
const noServer = (): Promise<Response> => Promise.reject(new Error('no server'));
/** `reader` gives promises of readers; this one decrypts nothing. */
const makeReader = (): stream.Reader =>
  new Reader({
    chunking: CHUNKING,
    cipher: chunksOf(
      bytes(12),
      (_, plaintext) => plaintext,
      () => undefined,
    ),
    source: stream.randomAccess(bytes(0)),
    start: 0,
    count: 1,
    last: 5,
    kept: bytes(5),
    signal: undefined,
    threads: undefined,
    closed: undefined,
  });
const sizes = (name: string, its: stream.StreamSizes, size: number) => ({
  [`stream.${name}.ciphertextSize`]: of(() => its, 'ciphertextSize', size),
  [`stream.${name}.plaintextSize`]: of(() => its, 'plaintextSize', size),
});
const noProgress = (): void => undefined;
const hushed = (promise: unknown): Promise<unknown> => (promise as Promise<unknown>).catch(() => undefined);
/** The streams of a format under a key. They are not read, so that nothing is done. */
const streams = (name: string, its: () => stream.Streams, own: object = {}) => {
  const options = { ...own, size: 48, onProgress: noProgress };
  const rows: readonly [method: string, ...sources: unknown[]][] = [
    ['encrypt', text],
    ['decrypt', [text]],
    ['encryptor'],
    ['decryptor'],
  ];
  const whole = of(its, 'decryptWhole', [text], { ...options, maxLength: 48, to: undefined });
  return Object.fromEntries([
    ...rows.map(([method, ...sources]) => [`${name}().${method}`, promised(of(its, method, ...sources, options))]),
    // The text isn't a stream, and the promise tells that.
    [`${name}().decryptWhole`, promised({ ...whole, call: (...extra) => hushed(whole.call(...extra)) })],
    [`${name}().destroy`, of(its, 'destroy')],
  ]) as Record<string, Call>;
};
const ofChunked = (): stream.Chunked => chunked(key, { context: ad });
const ofAge = (): stream.AgePayload => agePayload(key);
const ofMessages = (): stream.Secretstream => secretstream(key);
const makeSealer = (): stream.MessageSealer => secretstream(key).sealer();

/** A message that only its sealer's header opens. */
const made = (): { opener: stream.MessageOpener; message: Uint8Array } => {
  const sealer = makeSealer();
  return { message: sealer.push(text, undefined, { ad }), opener: secretstream(key).opener({ header: sealer.header }) };
};
let message: Uint8Array;
const openerOfMessage = (): stream.MessageOpener => {
  const its = made();
  ({ message } = its);
  return its.opener;
};
const openerAtEnd = (): stream.MessageOpener => {
  const sealer = makeSealer();
  const opener = secretstream(key).opener({ header: sealer.header });
  opener.push(sealer.end());
  return opener;
};
const openerOfChunk = (): stream.Opener => {
  const sealer = agePayload(key).sealer();
  sealer.push(text);
  const opener = agePayload(key).opener();
  opener.push(sealer.end());
  return opener;
};

export const calls: Readonly<Record<string, Call>> = {
  'stream.agePayload': fn(agePayload, key),
  'agePayload().sealer': of(ofAge, 'sealer', { header: ad, firstChunk: 1, isLast: false }),
  'agePayload().opener': of(ofAge, 'opener', { firstChunk: 1, isLast: false }),
  'agePayload().reader': promised(of(ofAge, 'reader', emptyAge, until({ offset: 0 }))),
  ...sizes('agePayload', agePayload, 100),
  ...streams('agePayload', ofAge),
  'stream.chunked': promised(fn(chunked, key, { context: ad })),
  'chunked().sealer': of(ofChunked, 'sealer'),
  'chunked().opener': promised(of(ofChunked, 'opener', { header: chunkedHeader })),
  'chunked().reader': promised(of(ofChunked, 'reader', emptyChunked, until({ offset: 0 }))),
  ...sizes('chunked', chunked, 100),
  ...streams('chunked', ofChunked),
  'stream.fetchRange': promised(fn(fetchRange, 'http://localhost/', until({ fetch: noServer, headers: {} }))),
  'stream.randomAccess': fn(randomAccess, bytes(5)),
  'Reader.read': promised(of(makeReader, 'read', 0, 5, until({}))),
  'Reader.destroy': of(makeReader, 'destroy'),
  ...methods('Source', () => randomAccess(bytes(5)), { size: [signal], read: [0, 5, signal] }),
  'stream.secretstream': fn(secretstream, key),
  'secretstream().sealer': of(ofMessages, 'sealer'),
  'secretstream().opener': of(ofMessages, 'opener', { header, requireFinal: false }),
  ...sizes('secretstream', secretstream, 100),
  ...streams('secretstream', ofMessages, { messageLength: 5 }),
  ...methods('Sealer', () => agePayload(key).sealer(), {
    outputLength: [5],
    push: [text, bytes(0)],
    end: [bytes(16)],
    destroy: [],
  }),
  ...methods('Opener', () => agePayload(key).opener(), { outputLength: [5], push: [text, bytes(0)], destroy: [] }),
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

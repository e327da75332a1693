/** Operations of `lanewise/stream.js` on random bytes, in which tests make the stack overflow. */
import { ChaChaChunks } from '../../../src/stream/chacha-chunks.ts';
import { openerOf, sealerOf } from '../../../src/stream/chunk-transform.ts';
import { CHUNKING } from '../../../src/stream/chunked.ts';
import { messageOpenerOf, messageSealerOf } from '../../../src/stream/message-transform.ts';
import { SecretstreamState } from '../../../src/stream/secretstream-state.ts';
import * as stream from '../../../src/stream.ts';
import { concat } from '../../support/bytes.ts';
import { LONG, aad, same, type Given, type Operation } from '../../support/overflow-operation.ts';
import { secretstreamModel } from '../../support/secretstream-oracle.ts';
import { chunkedBody, agePayload as ageModel } from '../../support/stream-models.ts';
import { instances as ofChaCha } from '../../chacha/table/instances.ts';
import { instances as ofPoly1305 } from '../../poly1305/table/instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { agePayload } = stream;
const join = concat;

const memories = (): Uint8Array[] => [...ofChaCha(), ...ofPoly1305()].map(({ memory }) => memory);

const cipherOf = ({ key, nonce }: Given): ChaChaChunks => new ChaChaChunks(key.slice(), nonce.slice(0, 12), false);
const chunkedSealed = ({ key, nonce, text }: Given): Uint8Array => chunkedBody(key, nonce.subarray(0, 12), text);
const ageSealed = ({ key, text }: Given): Uint8Array => ageModel(key, text);
const REKEY = 2;
const message = ({ key, nonce, text }: Given): Uint8Array => secretstreamModel(key, nonce).push(text, aad, REKEY);

const through = (machine: stream.Sealer | stream.Opener, bytes: Uint8Array): Uint8Array =>
  join(machine.push(bytes), machine.end());

export const operations: readonly Operation[] = [
  {
    name: 'agePayload: sealing',
    memories,
    longest: LONG,
    make: ({ key }) => agePayload(key).sealer(),
    work: ({ text }, sealer: stream.Sealer) => through(sealer, text),
    expected: ageSealed,
    sealed: true,
  },
  {
    name: 'agePayload: opening',
    memories,
    longest: LONG,
    make: (given) => ({ opener: agePayload(given.key).opener(), sealed: ageSealed(given) }),
    work: (_, { opener, sealed }: { opener: stream.Opener; sealed: Uint8Array }) => through(opener, sealed),
    expected: same,
    isPublic: ageSealed,
  },
  {
    name: 'chunked: sealing',
    memories,
    longest: LONG,
    make: (given) => sealerOf(CHUNKING, cipherOf(given), new Uint8Array(0)),
    work: ({ text }, sealer: stream.Sealer) => through(sealer, text),
    expected: chunkedSealed,
    sealed: true,
  },
  {
    name: 'chunked: opening',
    memories,
    longest: LONG,
    make: (given) => ({ opener: openerOf(CHUNKING, cipherOf(given)), sealed: chunkedSealed(given) }),
    work: (_, { opener, sealed }: { opener: stream.Opener; sealed: Uint8Array }) => through(opener, sealed),
    expected: same,
    isPublic: chunkedSealed,
  },
  {
    name: 'secretstream: sealing',
    memories,
    longest: LONG,
    make: ({ key, nonce }) => messageSealerOf(new SecretstreamState(key, nonce), new Uint8Array(nonce)),
    work: ({ text }, sealer: stream.MessageSealer) => sealer.push(text, undefined, { ad: aad, tag: REKEY }),
    expected: message,
    sealed: true,
  },
  {
    name: 'secretstream: opening',
    memories,
    longest: LONG,
    make: (given) => ({
      opener: messageOpenerOf(new SecretstreamState(given.key, given.nonce), false),
      sealed: message(given),
    }),
    work: (_, { opener, sealed }: { opener: stream.MessageOpener; sealed: Uint8Array }) =>
      opener.push(sealed, undefined, { ad: aad }),
    expected: same,
    isPublic: message,
  },
];

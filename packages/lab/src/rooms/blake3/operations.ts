/** BLAKE3: hash, keyed hash, hash of a message in pieces, and extended output. */
import { joined, unhex } from '../../client/bytes.ts';
import type { Hasher } from '../../client/contestants/contestant.ts';
import { inNode, library, oursBy } from '../../client/entrants.ts';
import { native, synchronous, type Operation, type Performer, type SynchronousStart } from '../../client/operation.ts';
import { sha256 } from '../others/operations.ts';

type Form = 'hash' | 'keyed' | 'pieces' | 'xof';

/** The length of the message whose output is read. */
const SHORT = 64;
/** The length of the pieces of a message, which isn't a multiple of a block or chunk. */
const PIECE = 1000;

/** The input of the official test vectors. */
const pattern = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

/** test_vectors.json of BLAKE3: 1025 bytes, and for the output 64 bytes, whose first 32 are the digest. */
const answers: Readonly<Record<Form, string>> = {
  hash: 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444',
  keyed: '357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69',
  pieces: 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444',
  xof: '4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98fc9cc56cb831ffe33ea8e7e1d1df09b26efd2767670066aa82d023b1dfe8ab1b',
};

/** Cuts each message once, because cutting is not part of the contest. */
function cutting(): (message: Uint8Array) => readonly Uint8Array[] {
  let last: Uint8Array | undefined;
  let pieces: readonly Uint8Array[] = [];
  return (message) => {
    if (message !== last) {
      last = message;
      pieces = Array.from({ length: Math.max(1, Math.ceil(message.length / PIECE)) }, (_, i) =>
        message.subarray(PIECE * i, PIECE * (i + 1)),
      );
    }
    return pieces;
  };
}

function startOf(hasher: Hasher, form: Form): SynchronousStart | undefined {
  if (form === 'pieces') {
    const { pieces } = hasher;
    return (
      pieces &&
      (() => {
        const cut = cutting();
        return (message) => pieces(cut(message));
      })
    );
  }
  const run = hasher[form];
  return run && (() => run);
}

const performers = (form: Form, ...hashers: readonly Hasher[]): Performer[] =>
  hashers.flatMap((hasher) => {
    const start = startOf(hasher, form);
    return start ? [synchronous(hasher, start)] : [];
  });

function operation(id: string, name: string, form: Form): Operation {
  const noble = async () => (await import('../../client/contestants/noble.ts')).nobleBlake3;
  return {
    id,
    primitive: 'BLAKE3',
    operation: name,
    async work(message, key, nonce) {
      const start = startOf(await noble(), form)!;
      const data = form === 'xof' ? pattern(SHORT) : message;
      // Only the output is written to a buffer, and is as long as the message.
      return { key, nonce, data, expected: joined(start(key, nonce)(data, new Uint8Array(message.length))) };
    },
    entrants: [
      oursBy((contestant) => performers(form, contestant)),
      library('noble', async () => performers(form, await noble())),
      ...(['blake3Jit', 'huggingFace'] as const).map((name) =>
        library(name === 'blake3Jit' ? 'blake3-jit' : 'Hugging Face', async () => {
          const [hasher, into] = (await import('../../client/contestants/blake3-jit.ts'))[name];
          return performers(form, hasher, ...(form === 'hash' ? [into] : []));
        }),
      ),
      library('hash-wasm', async () => {
        const { HASH_WASM_XOF, hashWasmBlake3 } = await import('../../client/contestants/hash-wasm.ts');
        const [performer] = performers(form, hashWasmBlake3);
        return form === 'xof' ? { ...performer, takes: (bytes) => bytes === HASH_WASM_XOF } : performer;
      }),
      library('blake3-wasm', async () =>
        performers(form, (await import('../../client/contestants/blake3-wasm.ts')).blake3Wasm),
      ),
      library('fuzdev', async () =>
        performers(form, (await import('../../client/contestants/fuzdev.ts')).fuzdevBlake3),
      ),
      // The official crate runs in its own process, and is measured for the operation where its vectors make a difference.
      inNode('native', ({ nativeBlake3 }) => nativeBlake3.map(native)),
    ].filter(({ library: name }) => (name !== 'fuzdev' || form !== 'xof') && (name !== 'native' || form === 'hash')),
    knownAnswer: {
      key: new Uint8Array(),
      nonce: new Uint8Array(),
      data: pattern(form === 'xof' ? SHORT : 1025),
      expected: unhex(answers[form]),
    },
    beside: form === 'hash' ? [sha256] : [],
  };
}

export const blake3 = operation('blake3/hash', 'hash', 'hash');
export const blake3Keyed = operation('blake3/keyed', 'keyed hash', 'keyed');
export const blake3Pieces = operation('blake3/pieces', 'hash in 1000-byte updates', 'pieces');
export const blake3Output = operation('blake3/output', 'output', 'xof');

export const operations: readonly Operation[] = [blake3, blake3Keyed, blake3Pieces, blake3Output];

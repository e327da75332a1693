/** SHA-256, SHA-512, and HMAC and HKDF with SHA-256. HKDF's key is the input, its nonce the salt, its data the info. */
import { unhex } from '../../client/bytes.ts';
import { library, nodeCrypto, ours, webCrypto } from '../../client/entrants.ts';
import type { NodeContestants } from '../../client/node-contestants.ts';
import { asynchronous, synchronous, workBy, type Operation } from '../../client/operation.ts';
import type { Start, SynchronousStart } from '../../client/operation.ts';

const KEY_BYTES = 32;
type Key = Uint8Array<ArrayBuffer>;

interface Functions {
  readonly ours: (sha2: typeof import('lanewise/sha2.js')) => SynchronousStart;
  readonly noble: () => Promise<SynchronousStart>;
  readonly node: (node: NodeContestants) => SynchronousStart;
  readonly web: Start;
  readonly hashWasm?: 'createSHA256' | 'createSHA512';
}

function operation(
  names: Pick<Operation, 'id' | 'primitive' | 'operation'>,
  { ours: own, noble, node, web, hashWasm }: Functions,
  [key, nonce, data, output]: readonly [key: string, nonce: string, data: string, output: string],
): Operation {
  const expected = unhex(output);
  return {
    ...names,
    work: workBy(noble),
    entrants: [
      ours(async () => own(await import('lanewise/sha2.js'))),
      library('noble', async () =>
        synchronous((await import('../../client/contestants/noble.ts')).nobleSha256, await noble()),
      ),
      ...(hashWasm
        ? [
            library('hash-wasm', async () => {
              const { hashWasmSha256 } = await import('../../client/contestants/hash-wasm.ts');
              const hasher = await (await import('hash-wasm'))[hashWasm]();
              return synchronous(hashWasmSha256, () => (message) => hasher.init().update(message).digest('binary'));
            }),
          ]
        : []),
      webCrypto((_, contestant) => asynchronous(contestant, web)),
      nodeCrypto(node),
    ],
    knownAnswer: { key: unhex(key), nonce: unhex(nonce), data: unhex(data), expected },
  };
}

const hash = (name: 'sha256' | 'sha512', bits: 256 | 512, output: string): Operation =>
  operation(
    { id: `sha2/${name}`, primitive: `SHA-${bits}`, operation: 'hash' },
    {
      ours: (sha2) => () => (message) => sha2[name](message),
      async noble() {
        const { [name]: run } = await import('@noble/hashes/sha2.js');
        return () => (message) => run(message);
      },
      node:
        ({ createHash }) =>
        () =>
        (message) =>
          createHash(name).update(message).digest(),
      web: () => async (message) => new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, message as Key)),
      hashWasm: `createSHA${bits}`,
    },
    ['', '', '616263', output],
  );

// FIPS 180-2, appendices B.1 and C.1.
export const sha256 = hash('sha256', 256, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
export const sha512 = hash(
  'sha512',
  512,
  'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
);

export const hmac = operation(
  { id: 'sha2/hmac', primitive: 'HMAC-SHA-256', operation: 'MAC' },
  {
    ours: (sha2) => (key) => (message) => sha2.hmac(sha2.sha256, key, message),
    async noble() {
      const [{ hmac: mac }, sha2] = await Promise.all([
        import('@noble/hashes/hmac.js'),
        import('@noble/hashes/sha2.js'),
      ]);
      return (key) => (message) => mac(sha2.sha256, key, message);
    },
    node:
      ({ createHmac }) =>
      (key) =>
      (message) =>
        createHmac('sha256', key).update(message).digest(),
    async web(key) {
      const imported = await crypto.subtle.importKey('raw', key as Key, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
      ]);
      return async (message) => new Uint8Array(await crypto.subtle.sign('HMAC', imported, message as Key));
    },
  },
  // RFC 4231 §4.5.
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    '',
    'cd'.repeat(50),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
);

export const hkdf = operation(
  { id: 'sha2/hkdf', primitive: 'HKDF-SHA-256', operation: 'derive' },
  {
    ours: (sha2) => (key, salt) => (info) => sha2.hkdf(sha2.sha256, key, salt, info, KEY_BYTES),
    async noble() {
      const [{ hkdf: derive }, sha2] = await Promise.all([
        import('@noble/hashes/hkdf.js'),
        import('@noble/hashes/sha2.js'),
      ]);
      return (key, salt) => (info) => derive(sha2.sha256, key, salt, info, KEY_BYTES);
    },
    node:
      ({ hkdfSync }) =>
      (key, salt) =>
      (info) =>
        new Uint8Array(hkdfSync('sha256', key, salt, info, KEY_BYTES)),
    async web(key, salt) {
      const imported = await crypto.subtle.importKey('raw', key as Key, 'HKDF', false, ['deriveBits']);
      const parameters = { name: 'HKDF', hash: 'SHA-256', salt: salt as Key };
      return async (info) =>
        new Uint8Array(await crypto.subtle.deriveBits({ ...parameters, info: info as Key }, imported, 8 * KEY_BYTES));
    },
  },
  // RFC 5869, A.1: its first 32 bytes.
  [
    '0b'.repeat(22),
    '000102030405060708090a0b0c',
    'f0f1f2f3f4f5f6f7f8f9',
    '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf',
  ],
);

export const operations: readonly Operation[] = [sha256, sha512, hmac, hkdf];

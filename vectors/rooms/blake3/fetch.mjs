// Known answers of BLAKE3, by its authors.
import { join } from 'node:path';
import { maven, pinned } from '../../registries.mjs';

function blake3() {
  const root = maven(
    'commons-codec',
    'commons-codec',
    '1.19.0',
    'test-sources',
    '355f36a8ba27dd3089cfd444ecb7ffeacea421e998a315eed4c9f837342da34c',
  );
  const sha = '1773e124a0cf8a595722488432dadbbb277fc9b159d24c972fa88e30705e681c';
  const text = pinned(join(root, 'org', 'apache', 'commons', 'codec', 'digest', 'Blake3TestVectorsTest.java'), sha);
  const bytes = '\\s*"([0-9a-f]{262})"';
  const tests = [
    ...text.matchAll(new RegExp(`Arguments\\.of\\(\\s*(\\d+),${bytes},${bytes},${bytes}\\s*\\)`, 'g')),
  ].map(([, length, hash, keyed_hash, derive_key]) => ({ input_len: Number(length), hash, keyed_hash, derive_key }));
  if (tests.length !== text.split('Arguments.of(').length - 1) throw new Error(`BLAKE3: only ${tests.length} tests`);
  return {
    source:
      'test_vectors.json of BLAKE3, all 35 lengths, as in Blake3TestVectorsTest.java of Apache Commons Codec 1.19.0 (test sources). The input is 0, 1, 2, ..., 250, 0, 1, ...; key and context are ASCII. Each value is 131 bytes of output, whose first 32 are the digest.',
    made: `node vectors/fetch.mjs: every test; SHA-256 of the source file ${sha}`,
    licence: 'CC0-1.0 or Apache-2.0',
    key: 'whats the Elvish word for friend',
    context_string: 'BLAKE3 2019-12-27 16:29:52 test vectors context',
    tests,
  };
}

/** By the name of the file that they are written to. */
export const fixtures = {
  'blake3.json': blake3,
};

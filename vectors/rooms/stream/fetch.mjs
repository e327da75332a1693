// Known answers of secretstream, from another project.
import { join } from 'node:path';
import { pinned, sdist } from '../../registries.mjs';

function pynacl() {
  const root = sdist('pynacl', '1.6.2', '018494d6d696ae03c7e656e5e74cdfd8ea1326962cc401bcf018f1ed8436811c');
  const sha = '878c647616c1cf3ae9ae8aca9ecf7ac30a3c7e26c75e72db8a0fd1bc9e11f88a';
  const tests = JSON.parse(pinned(join(root, 'tests', 'data', 'secretstream-test-vectors.json'), sha));
  return {
    source:
      'tests/data/secretstream-test-vectors.json of the source package of PyNaCl 1.6.2 (PyPI): streams of libsodium. A ciphertext is the encrypted tag, the encrypted message and the MAC.',
    made: `node vectors/fetch.mjs: every test; SHA-256 of the source file ${sha}`,
    licence: 'Apache-2.0',
    tests,
  };
}

/** By the name of the file that they are written to. */
export const fixtures = { 'stream-secretstream-pynacl.json': pynacl };

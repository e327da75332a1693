// Known answers of Salsa20 and secretbox, from other projects.
import { join } from 'node:path';
import { cryptoppBytes, cryptoppVectors } from '../../cryptopp.mjs';
import { crate, pinned } from '../../registries.mjs';

/** A test inherits the fields that it omits from the test before it: the plaintext of a seek, the key of a new nonce. */
function cryptoppSalsa() {
  const sha = 'fb2df5b5c8a5c2d71fcf516044b4d9fbe3ccbd57c0623ba734949b100838f887';
  const tests = [];
  let now = {};
  for (const line of cryptoppVectors('salsa.txt', sha)
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)) {
    const field = /^(\w+):\s*(.*?)\s*$/.exec(line);
    if (!field) continue;
    const [, name, value] = field;
    if (name === 'Name') now = { Name: value };
    // The last of these fields says where a test begins.
    if (name === 'Seek64') delete now.Seek;
    if (name === 'IV' || name === 'Key') {
      delete now.Seek;
      delete now.Seek64;
    }
    now[name] = value;
    if (name !== 'Test') continue;
    const plaintext = cryptoppSalsaBytes(now.Plaintext);
    const common = {
      ...(now.Comment ? { name: now.Comment } : {}),
      rounds: Number(now.Rounds ?? 20),
      key: cryptoppSalsaBytes(now.Key),
      nonce: cryptoppSalsaBytes(now.IV),
      position: BigInt(now.Seek64 ?? now.Seek ?? 0).toString(),
    };
    if (value === 'EncryptXorDigest') {
      tests.push({ ...common, length: plaintext.length / 2, xorDigest: cryptoppBytes(now.CiphertextXorDigest) });
      continue;
    }
    const ciphertext = cryptoppBytes(now.Ciphertext);
    if (plaintext.length !== ciphertext.length) throw new Error('a plaintext and a ciphertext of two lengths');
    tests.push({ ...common, plaintext: /^0*$/.test(plaintext) ? '' : plaintext, ciphertext });
  }
  return {
    source:
      "TestVectors/salsa.txt of Crypto++ 8.7.0 (Debian package libcrypto++-utils 8.7.0+git220824-1): ECRYPT's verified test vectors of Salsa20, Salsa20/12 and Salsa20/8, outputs of its reference implementation where the counter crosses 32 bits, and outputs of XSalsa20 in NaCl. position is the byte of the keystream at which a test begins; an empty plaintext is as many zeros as there is ciphertext; xorDigest is the XOR of all blocks of that length of keystream.",
    made: `node vectors/fetch.mjs: every test; SHA-256 of the source file ${sha}`,
    licence: 'Boost Software License 1.0',
    tests,
  };
}
/** In that file repeats are of any number of bytes: "r16 00000000". */
function cryptoppSalsaBytes(text) {
  const repeat = /^r(\d+) ([0-9a-f]+)$/.exec(text);
  return repeat ? repeat[2].repeat(Number(repeat[1])) : cryptoppBytes(text);
}

/** NaCl's own tests, as libsodium has them: arrays of C, and their output. */
function naclSalsa() {
  const at = join(crate('libsodium-sys', '0.2.7'), 'libsodium', 'test', 'default');
  const files = {
    'core1.c': 'c3661c594227c90e870d6344ca10f0dfd65b2e8f93868b886b956d70e89bf177',
    'core1.exp': '58228faa0e7ec755ab98c972e57063f9b0f7f7cfc58c5cc6aed8acc9e0a75aeb',
    'core2.c': '981e91e297000bdb44afbf31357b93eb43985cf770854514a1bbe8d85bd1dcf1',
    'core2.exp': 'e9a6c04ec05215e342f77d241c0b57dd4eb3527f5d688d7daee1473b9b69122b',
    'core5.c': 'cc2d02eecf68003b4e365f36b207c670a97c19f455e336c25654ab4583f079ac',
    'core5.exp': '88d3018805b5aa6a75343cbf86cc35a8c53d773f5b631392f98ef00435fd1e71',
    'secretbox.c': '0b68f23ffcb9454c4f427b9de75346ef8ff7164a7e6441093d6f297757f8390b',
    'secretbox.exp': 'aff23c0aa430ab59eeb19af114f5fdafe7479e674af4e431f1ffa55a0f79ef2d',
    'xchacha20.c': 'a35a93ad9c3691a5be6eb5a1a74b229ab5d8d40c804bae27c01738d295f5a96f',
  };
  const read = (name) => pinned(join(at, name), files[name]);
  const hexOf = (numbers) =>
    [...numbers.matchAll(/0x([0-9a-f]{2})|\b(\d+)\b/g)]
      .map(([, digits, decimal]) => digits ?? Number(decimal).toString(16).padStart(2, '0'))
      .join('');
  const array = (text, name) => {
    const [, size, numbers] = new RegExp(`char ${name}\\[(\\d+)\\](?: = \\{([^}]*)\\})?;`).exec(text);
    return hexOf(numbers ?? '').padEnd(2 * Number(size), '0');
  };
  const hsalsa = (name, key, input) => ({
    kind: 'hsalsa20',
    name,
    key: array(read(`${name}.c`), key),
    nonce: array(read(`${name}.c`), input).slice(0, 32),
    subkey: hexOf(read(`${name}.exp`)),
  });
  const box = read('secretbox.c');
  const printed = hexOf(read('secretbox.exp'));
  const rows = read('xchacha20.c').split('tv_secretbox_xchacha20poly1305(void)')[1].split('};')[0];
  const xchacha = [...rows.matchAll(/\{\s*((?:"[0-9a-f]*",?\s*)+)\}/g)].map(([, row], i) => {
    const fields = row.split(',').map((field) => [...field.matchAll(/"([0-9a-f]*)"/g)].map(([, t]) => t).join(''));
    const [key, nonce, plaintext, out] = fields;
    return { kind: 'secretbox_xchacha20poly1305', name: `xchacha20 ${i + 1}`, key, nonce, plaintext, box: out };
  });
  return {
    source:
      'Tests of NaCl (D. J. Bernstein, T. Lange, P. Schwabe) and libsodium, as in libsodium/test/default of the crate libsodium-sys 0.2.7: core1, core2, core5 (HSalsa20; core1 and core2 are the example of "Cryptography in NaCl" §8), secretbox (§9), and secretbox with XChaCha20.',
    made: `node vectors/fetch.mjs: these tests; SHA-256 of the source files ${Object.values(files).join(', ')}`,
    licence: 'public domain (NaCl); ISC (libsodium)',
    tests: [
      hsalsa('core1', 'shared', 'zero'),
      hsalsa('core2', 'firstkey', 'nonceprefix'),
      hsalsa('core5', 'k', 'in'),
      {
        kind: 'secretbox',
        name: 'secretbox',
        key: array(box, 'firstkey'),
        nonce: array(box, 'nonce'),
        plaintext: array(box, 'm').slice(64),
        // It is printed twice.
        box: printed.slice(0, printed.length / 2),
      },
      ...xchacha,
    ],
  };
}

/** By the name of the file that they are written to. */
export const fixtures = {
  'cryptopp-salsa.json': cryptoppSalsa,
  'salsa-nacl.json': naclSalsa,
};

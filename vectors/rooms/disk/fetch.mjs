// Known answers of Adiantum, HPolyC and NH, by their authors.
import { join } from 'node:path';
import { goModule, pinned, sha256 } from '../../registries.mjs';

/** The files of the authors of Adiantum and HPolyC, as in a Go module. Of long ciphertexts the SHA-256 is kept. */
function diskPages() {
  const files = {
    'testdata/Adiantum_XChaCha8_32_AES256.json': 'bff39fd927be4d8c10971e2613f69db8737886d3c709ae5737fe6528ffd65a37',
    'testdata/Adiantum_XChaCha12_32_AES256.json': 'e6e20f2f65f9bfe8c917189211286967ff955f20d7b3662ad2fef34378488b58',
    'testdata/Adiantum_XChaCha20_32_AES256.json': '9b9d8564eb558c9adfbceb3bcc49de26b4767403c89ec46d88c45bc7e2e75883',
    'hpolyc/testdata/HPolyC_XChaCha8_32_AES256.json':
      '0344dbb926d6086a52e35142685526a438519a5cb94f0cecd1912533b95dda9c',
    'hpolyc/testdata/HPolyC_XChaCha12_32_AES256.json':
      '5daa6eee2705e82a7c5e86bc3964efbfb0cb1269dd4d744769c7722da2db8b02',
    'hpolyc/testdata/HPolyC_XChaCha20_32_AES256.json':
      'e175915f6ea601871b1396c017cd3ff9b05c4cb2b8d0c2318576a5acfe399a2e',
  };
  const root = goModule('lukechampine.com/adiantum', 'v1.1.1');
  const plaintexts = [];
  const numbers = new Map();
  const tests = Object.entries(files).flatMap(([file, sha]) =>
    JSON.parse(pinned(join(root, file), sha)).map(({ cipher, input, plaintext_hex, ciphertext_hex }) => {
      if (!numbers.has(plaintext_hex))
        numbers.set(plaintext_hex, plaintexts.push(Buffer.from(plaintext_hex, 'hex').toString('base64')) - 1);
      const long = ciphertext_hex.length > 2 * 128;
      return {
        cipher: cipher.cipher.toLowerCase(),
        rounds: cipher.streamcipher.rounds,
        key: input.key_hex,
        tweak: input.tweak_hex,
        plaintext: numbers.get(plaintext_hex),
        ...(long ? { sha256: sha256(Buffer.from(ciphertext_hex, 'hex')) } : { ciphertext: ciphertext_hex }),
      };
    }),
  );
  return {
    source:
      "test_vectors/ours/{Adiantum,HPolyC} of github.com/google/adiantum, the repository of the ciphers' authors, as in testdata of the Go module lukechampine.com/adiantum v1.1.1. plaintext is a place in plaintexts, which are base64; of ciphertexts longer than 128 bytes the SHA-256 is kept.",
    made: `node vectors/fetch.mjs: every test; SHA-256 of the source files ${Object.values(files).join(', ')}`,
    licence: 'MIT',
    plaintexts,
    tests,
  };
}

/** Of the same: NH alone. */
function diskNh() {
  const sha = '1687af5618e884143f67416ab5b4186d58630e44b20e67cf4fb009b56350378c';
  const text = pinned(join(goModule('lukechampine.com/adiantum', 'v1.1.1'), 'nh', 'testdata', 'NH.json'), sha);
  return {
    source:
      'test_vectors/ours/NH of github.com/google/adiantum, as in nh/testdata of the Go module lukechampine.com/adiantum v1.1.1. key and message are base64.',
    made: `node vectors/fetch.mjs: every test; SHA-256 of the source file ${sha}`,
    licence: 'MIT',
    tests: JSON.parse(text).map(({ description, input, hash_hex }) => ({
      name: description,
      key: Buffer.from(input.key_hex, 'hex').toString('base64'),
      message: Buffer.from(input.message_hex, 'hex').toString('base64'),
      hash: hash_hex,
    })),
  };
}

/** By the name of the file that they are written to. */
export const fixtures = {
  'disk.json': diskPages,
  'disk-nh.json': diskNh,
};

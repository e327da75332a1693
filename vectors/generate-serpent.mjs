// Makes serpent-*.json: the NESSIE sets and those of the submission to AES, from crates at pinned versions whose files must
// have the SHA-256 written here, and outputs of libgcrypt.
//   node vectors/generate-serpent.mjs [--check]     --check compares instead of writing
// Needs cargo, python3 and libgcrypt20.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
function pinned(path, wanted) {
  const bytes = readFileSync(path);
  const sha = createHash('sha256').update(bytes).digest('hex');
  if (sha !== wanted) throw new Error(`${path} has SHA-256 ${sha}, not ${wanted}`);
  return bytes;
}

/** The folder of each crate. One of them needs a trait whose versions are all withdrawn: an empty one takes its place. */
function crates(folder) {
  const write = (name, text) => {
    mkdirSync(join(folder, name, 'src'), { recursive: true });
    writeFileSync(join(folder, name, 'src', 'lib.rs'), '');
    writeFileSync(join(folder, name, 'Cargo.toml'), text);
  };
  write(
    'block-cipher-trait',
    '[package]\nname = "block-cipher-trait"\nversion = "0.6.3"\nedition = "2018"\n[features]\ndev = []\n',
  );
  write(
    '.',
    '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n' +
      '[dependencies]\nserpent = "=0.6.0"\nserpent-cipher = "=0.1.2"\n' +
      '[patch.crates-io]\nblock-cipher-trait = { path = "block-cipher-trait" }\n[workspace]\n',
  );
  const { packages } = JSON.parse(run('cargo', ['metadata', '--quiet', '--format-version', '1'], folder));
  return (name) => dirname(packages.find((p) => p.name === name).manifest_path);
}

/** The "blobby" format: counts and lengths in groups of seven bits, bytes that occur often once, at the front. */
function blobs(bytes) {
  let at = 0;
  const number = () => {
    let n = bytes[at] & 127;
    while (bytes[at++] & 128) n = ((n + 1) << 7) | (bytes[at] & 127);
    return n;
  };
  const take = () => {
    const length = number();
    return bytes.subarray(at, (at += length));
  };
  const items = [];
  const total = number();
  const often = Array.from({ length: number() }, take);
  while (items.length < total) {
    const n = number();
    items.push(n & 1 ? often[n >> 1] : bytes.subarray(at, (at += n >> 1)));
  }
  if (at !== bytes.length) throw new Error('bytes are left over');
  return items.map((item) => Buffer.from(item).toString('hex'));
}

const NESSIE = {
  'serpent128.blb': '2ef7ea31a12998f35671b1e73808fe6e00dbfa1c2963de5f355f7ec89aa7c806',
  'serpent192.blb': '6e78fdfd614133c3e020859733bd1453273ba6b4a9e9402362590f9cebb2f415',
  'serpent256.blb': '08f0f1896e78e88f4cce6d185befb7131915924888912bb0ae7300048705bcc8',
};
function nessie(folder) {
  const tests = Object.entries(NESSIE).flatMap(([name, sha]) => {
    const items = blobs(pinned(join(folder, 'tests', 'data', name), sha));
    return Array.from({ length: items.length / 3 }, (_, i) => items.slice(3 * i, 3 * i + 3).join(' '));
  });
  return {
    source:
      'NESSIE: Serpent-128-128, Serpent-192-128, Serpent-256-128 verified test vectors, as in the crate serpent 0.6.0 (RustCrypto). Each test is key, plaintext and ciphertext.',
    made: `node vectors/generate-serpent.mjs: every test; SHA-256 of the source files ${Object.values(NESSIE).join(', ')}`,
    licence: 'Apache-2.0 or MIT (the crate)',
    tests,
  };
}

const SUBMISSION = {
  'ecb_vk.txt': 'a766c6d98672f327f8c4460a69644f1a8a2547e38c2234ce8f8498c1bfd61435',
  'ecb_vt.txt': 'd53298688e790760601e2deb33b897a379e07e610bf40912b07943e5dd4ec671',
  'ecb_tbl.txt': 'd9b7881f121da02ba24a313a05984f399ef3f48faa1d960381c83088986e8a0d',
  'ecb_e_m.txt': 'c0fbdcaa9e5e1db3fb27b489b6ec9e1aa2f9e0d17bbe22b48b21ea4919db5301',
  'ecb_d_m.txt': '455b4c5cb72a251c1009f501285582ab318adf170269a5b7e6eff83b02c06341',
  'cbc_e_m.txt': 'c8b48541c1cdfeb81317a2911442c15ccd49e946555ee86aeffc306f392a7693',
  'cbc_d_m.txt': '6b102a16e99060a1190e50804a3b13d0a69d35f7877f22261117c593171c3128',
};
/** Of each key size, the first Monte Carlo tests of 400: each is 10000 blocks. */
const MONTE_CARLO = 2;
function submission(folder) {
  const tests = Object.entries(SUBMISSION).flatMap(([name, sha]) => {
    const text = pinned(join(folder, 'tests', name), sha).toString('latin1');
    const kind = name.replace(/^ecb_(vk|vt|tbl)\.txt$|^(.*)\.txt$/, '$1$2');
    const all = [];
    let now = {};
    let size = 0;
    for (const [, field, value] of text.matchAll(/^(KEYSIZE|I|KEY|IV|PT|CT)=\s*(\w+)/gm)) {
      if (field === 'KEYSIZE') {
        size = Number(value);
        now = {};
      }
      if (field === 'I') now.i = Number(value);
      else now[field] = value.toLowerCase();
      const done = kind.endsWith('d_m') ? field === 'PT' : field === 'CT';
      if (!done || (kind.endsWith('_m') && now.i >= MONTE_CARLO)) continue;
      if (now.KEY.length !== size / 4) throw new Error(`${name}: a key of ${now.KEY.length} digits`);
      all.push([kind, now.KEY, ...(kind.startsWith('cbc') ? [now.IV] : []), now.PT, now.CT].join(' '));
    }
    return all;
  });
  return {
    source:
      "Serpent's submission to AES (R. Anderson, E. Biham, L. Knudsen, 1998): ecb_vk, ecb_vt, ecb_tbl, and the Monte Carlo tests, as in the crate serpent-cipher 0.1.2. Each test is its kind, key, IV if the kind is CBC, plaintext and ciphertext, printed as there: the last byte first.",
    made: `node vectors/generate-serpent.mjs: every test, of the Monte Carlo tests the first ${MONTE_CARLO} of each key size; SHA-256 of the source files ${Object.values(SUBMISSION).join(', ')}`,
    licence: 'Apache-2.0 or MIT (the crate)',
    tests,
  };
}

function libgcrypt() {
  const script = fileURLToPath(new URL('serpent-libgcrypt.py', import.meta.url));
  const { version, tests } = JSON.parse(run('python3', [script]));
  return {
    source: `Ours: Serpent in CTR, CBC and OCB mode by libgcrypt ${version}. The head of serpent-libgcrypt.py says what keys, nonces and messages are; each test is a length, and the first eight bytes of SHA-256 of each ciphertext.`,
    made: 'node vectors/generate-serpent.mjs',
    tests: tests.map(({ length, ctr, cbc, ocb }) => `${length} ${ctr} ${cbc} ${ocb}`),
  };
}

const check = process.argv.includes('--check');
const temporary = mkdtempSync(join(tmpdir(), 'lanewise-vectors-'));
try {
  const folderOf = crates(temporary);
  const files = {
    'serpent-nessie.json': nessie(folderOf('serpent')),
    'serpent-submission.json': submission(folderOf('serpent-cipher')),
    'serpent-libgcrypt.json': libgcrypt(),
  };
  for (const [name, { tests, ...head }] of Object.entries(files)) {
    const path = fileURLToPath(new URL(name, import.meta.url));
    const body = tests.map((test) => `    ${JSON.stringify(test)}`).join(',\n');
    const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tests": [\n${body}\n  ]\n}\n`;
    if (!check) writeFileSync(path, text);
    const same = readFileSync(path, 'utf8') === text;
    console.log(`${name}: ${tests.length} tests, ${check ? (same ? 'as committed' : 'DIFFERS') : 'written'}`);
    if (!same) process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

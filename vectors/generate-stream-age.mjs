// Makes stream-age.json: payloads of files that age 1.3.1 and rage (pyrage 1.4.0) have made for the recipient of the specification.
//   node vectors/generate-stream-age.mjs      needs Go, and python3 with pip; file keys are random, so each run gives other vectors
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { opened, RECIPIENT } from '../packages/lanewise/test/support/age-file.ts';
import { goProgram, piped, pythonPackage } from '../packages/lanewise/test/support/fetched-oracles.ts';

const CHUNK = 65536;
const LENGTHS = [0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 77];
const pattern = (length) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8) * 3) & 255);
const hex = (bytes) => Buffer.from(bytes).toString('hex');

const pathOf = (fetched) => {
  if ('missing' in fetched) throw new Error(fetched.missing);
  return fetched.path;
};
const age = pathOf(goProgram('filippo.io/age/cmd/age', '1.3.1'));
const pyrage = pathOf(pythonPackage('pyrage', '1.4.0'));
const code = `import sys, pyrage
to = pyrage.x25519.Recipient.from_str('${RECIPIENT}')
sys.stdout.buffer.write(pyrage.encrypt(sys.stdin.buffer.read(), [to]))`;
const makers = {
  'age 1.3.1': (plaintext) => piped(age, ['-r', RECIPIENT], plaintext),
  'pyrage 1.4.0': (plaintext) => piped('python3', ['-c', code], plaintext, { PYTHONPATH: pyrage }),
};

const tests = Object.entries(makers).flatMap(([by, make]) =>
  LENGTHS.map((length) => {
    const file = make(pattern(length));
    const { key, salt, payload } = opened(file);
    const header = Buffer.from(file.subarray(0, file.length - payload.length - 16)).toString('latin1');
    return {
      by,
      length,
      header,
      salt: hex(salt),
      key: hex(key),
      size: payload.length,
      ...(payload.length < 200 ? { payload: hex(payload) } : {}),
      sha256: createHash('sha256').update(payload).digest('hex'),
    };
  }),
);
const vectors = {
  source:
    'Files for the recipient of C2SP age, "The X25519 recipient type" (identity: 32 bytes of 0x42), by age 1.3.1 (Go module filippo.io/age) and' +
    ' rage (package pyrage 1.4.0 of PyPI). Byte i of a plaintext is (7i + 3⌊i/256⌋) mod 256; salt are the 16 bytes behind the header, key is' +
    ' the payload key that header and salt give, size and sha256 are those of the payload behind the salt.',
  made: 'node vectors/generate-stream-age.mjs; file keys are random',
  licence: 'CC0',
  tests,
};
writeFileSync(new URL('stream-age.json', import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`);

/**
 * Streams beside the programs that define or implement their formats: age and rage with whole files, both ways; and the framework of
 * C2SP chunked-encryption beside the Cobblestone of `cryptography`. Their answers are in vectors/, for machines without them.
 */
import { createCipheriv, createDecipheriv, randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openerOf, sealerOf } from '../../src/stream/chunk-transform.ts';
import { CHUNKING } from '../../src/stream/chunked.ts';
import { deriveKeys } from '../../src/stream/derive.ts';
import { agePayload } from '../../src/stream.ts';
import { IDENTITY, madeHeader, opened, RECIPIENT } from '../support/age-file.ts';
import { concat, expectBytes, hex, sample, unhex } from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';
import { goProgram, piped, pythonPackage } from '../support/fetched-oracles.ts';
import { chunksOf, cut, through } from '../support/stream.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-oracles-'));
afterAll(() => rmSync(folder, { recursive: true }));
const identity = join(folder, 'identity');
writeFileSync(identity, `${IDENTITY}\n`);

interface Age {
  readonly encrypt: (plaintext: Uint8Array) => Uint8Array;
  readonly decrypt: (file: Uint8Array) => Uint8Array;
}
const age = goProgram('filippo.io/age/cmd/age', '1.3.1');
const rage = pythonPackage('pyrage', '1.4.0');
const python = (code: string, input: Uint8Array, path: string): Uint8Array =>
  piped('python3', ['-c', `import sys\nread, write = sys.stdin.buffer.read, sys.stdout.buffer.write\n${code}`], input, {
    PYTHONPATH: path,
  });
const ages: readonly [name: string, age: Age | string][] = [
  [
    'age 1.3.1',
    'missing' in age
      ? age.missing
      : {
          encrypt: (plaintext) => piped(age.path, ['-r', RECIPIENT], plaintext),
          decrypt: (file) => piped(age.path, ['-d', '-i', identity], file),
        },
  ],
  [
    'rage, by pyrage 1.4.0',
    'missing' in rage
      ? rage.missing
      : {
          encrypt: (plaintext) =>
            python(
              `import pyrage\nto = pyrage.x25519.Recipient.from_str('${RECIPIENT}')\nwrite(pyrage.encrypt(read(), [to]))`,
              plaintext,
              rage.path,
            ),
          decrypt: (file) =>
            python(
              `import pyrage\nme = pyrage.x25519.Identity.from_str('${IDENTITY}')\nwrite(pyrage.decrypt(read(), [me]))`,
              file,
              rage.path,
            ),
        },
  ],
];

const CHUNK = 65_536;
const lengths = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + randomInt(CHUNK)];

for (const [name, its] of ages) if (typeof its === 'string') console.log(`${name} is not run: ${its}`);

describe.each(ages)('%s', (_, its) => {
  onEachEngine((engine) => {
    test.for(engine === engines[0] ? lengths : lengths.slice(-1))(
      'files of %i bytes, both ways',
      (length, { skip }) => {
        if (typeof its === 'string') return skip(its);
        const plaintext = sample(length, 1 + length);
        const { key, payload } = opened(its.encrypt(plaintext));
        expect(payload.length).toBe(agePayload.ciphertextSize(length));
        expectBytes(through(agePayload(key).opener(), cut(payload, [100_000, 1])), plaintext, 'opened');
        const made = madeHeader();
        const sealed = through(agePayload(made.key).sealer(), cut(plaintext, [100_000, 1]));
        expectBytes(its.decrypt(concat(made.header, sealed)), plaintext, 'what it opens');
        if (length === 0) return;
        const wrong = concat(made.header, sealed);
        wrong[wrong.length - 1] ^= 1;
        expect(() => its.decrypt(wrong)).toThrow();
      },
    );
  });
});

/** The same by the files whose payloads are in vectors/: their headers have its key. */
test('the headers of the vectors', () => {
  const { tests } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../vectors/stream-age.json'), 'utf8'),
  ) as {
    tests: { header: string; salt: string; key: string }[];
  };
  expect(tests).toHaveLength(16);
  for (const { header, salt, key } of tests)
    expect(hex(opened(concat(Buffer.from(header, 'latin1'), unhex(salt))).key)).toBe(key);
});

const cryptography = pythonPackage('cryptography', '50.0.2');
const COBBLESTONE = `
from cryptography import cobblestone
key, context, data = (bytes.fromhex(line) for line in read().decode().split('\\n'))
name = f'Cobblestone{len(key) * 8}' + ('Encryptor' if sys.argv[1] == 'encrypt' else 'Decryptor')
machine = getattr(cobblestone, name)(key, context)
write(machine.update(data) + machine.finalize())`;

if ('missing' in cryptography) console.log(`cryptography is not run: ${cryptography.missing}`);

test.for([128, 256] as const)('Cobblestone-%i of cryptography 50.0.2, both ways', async (bits, { skip }) => {
  if ('missing' in cryptography) return skip(cryptography.missing);
  const { path } = cryptography;
  const [key, context] = [sample(bits / 8, bits), sample(13, 3)];
  const cobblestone = (what: 'encrypt' | 'decrypt', data: Uint8Array): Uint8Array =>
    piped(
      'python3',
      ['-c', `import sys\nread, write = sys.stdin.buffer.read, sys.stdout.buffer.write${COBBLESTONE}`, what],
      Buffer.from([key, context, data].map(hex).join('\n')),
      { PYTHONPATH: path },
    );
  const aead = `aes-${bits}-gcm` as const;
  const chunksFor = async (salt: Uint8Array) => {
    const keys = await deriveKeys(`AEAD_AES_${bits}_GCM`, [bits / 8, 12], key.slice(), salt, context);
    const chunks = chunksOf(
      keys.baseNonce,
      (nonce, plaintext) => {
        const cipher = createCipheriv(aead, keys.key, nonce);
        return concat(cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
      },
      (nonce, ciphertext) => {
        const decipher = createDecipheriv(aead, keys.key, nonce);
        decipher.setAuthTag(ciphertext.subarray(-16));
        return concat(decipher.update(ciphertext.subarray(0, -16)), decipher.final());
      },
    );
    return { chunks, commitment: keys.commitment };
  };
  for (const length of [0, 1, 16_383, 16_384, 16_385, 70_000 + randomInt(16_384)]) {
    const plaintext = sample(length, 5 + length);
    const theirs = cobblestone('encrypt', plaintext);
    const { chunks, commitment } = await chunksFor(theirs.subarray(0, 24));
    expectBytes(theirs.subarray(24, 56), commitment, 'the commitment');
    expectBytes(through(openerOf(CHUNKING, chunks), cut(theirs.subarray(56), [20_000, 3])), plaintext, 'opened');
    const salt = sample(24, length);
    const ours = await chunksFor(salt);
    const sealed = through(sealerOf(CHUNKING, ours.chunks, new Uint8Array(0)), cut(plaintext, [20_000, 3]));
    expectBytes(cobblestone('decrypt', concat(salt, ours.commitment, sealed)), plaintext, 'what it opens');
  }
});

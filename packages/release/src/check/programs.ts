/** Programs that users write: each is compiled with types, and run. */
import { join } from 'node:path';
import type { User } from '../user.ts';

export interface Program {
  readonly name: string;
  /** Of the package.json: in which format files are modules. */
  readonly type: 'module' | 'commonjs';
  readonly code: string;
  /** Settings of the compiler besides those of all. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Compiles a program and runs it; one that has to be compiled only has `noEmit` among its options. */
export async function runProgram(user: User, { name, type, code, options }: Program): Promise<void> {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    outDir: '.',
    rootDir: '.',
    ...options,
  };
  const manifest = JSON.parse(await user.read('package.json')) as object;
  await user.write('package.json', { ...manifest, type });
  await user.write('user.ts', code);
  await user.write('tsconfig.json', { compilerOptions, files: ['user.ts'] });
  await user.run('tsc', '-p', '.');
  if (options['noEmit'] !== true) await user.run(process.execPath, join(user.folder, 'user.js'));
  console.log(`${name}: the program is right`);
}

export const AGE = `
import { Decrypter, Encrypter, generateIdentity, identityToRecipient, type ReadableStreamWithSize } from '@lanewise/age';

const identity: string = await generateIdentity();
const encrypter = new Encrypter();
encrypter.addRecipient(await identityToRecipient(identity));
const stream: ReadableStreamWithSize = await encrypter.encrypt(new Blob(['hello']));
const decrypter = new Decrypter();
decrypter.addIdentity(identity);
const file = new Uint8Array(await new Response(stream).arrayBuffer());
const text: string = await decrypter.decrypt(file, 'text');
if (text !== 'hello') throw new Error('wrong plaintext');
`;

/** Without a queue: a caller that has not connected yet closes, and an address that is none is an error. */
export const CLUSTER = `
import { cluster, createWorker, type Cluster, type ClusterWorker } from '@lanewise/cluster';

const queue: Cluster = cluster('redis://127.0.0.1:1');
await queue.close();
const worker: ClusterWorker | string = await createWorker('ftp://127.0.0.1', { allow: [] }).catch(
  (error: unknown) => (error as RangeError).message,
);
if (worker !== '"queue" expected a URL of redis://, rediss:// or postgres://, got another text') throw new Error(String(worker));
`;

/** A database that another key doesn't open. */
export const SQLITE = `
import { openDatabase, type Database } from '@lanewise/sqlite/node.js';

const db: Database = await openDatabase({ file: 'user.db', key: new Uint8Array(32) });
await db.all('create table t(a)');
await db.all('insert into t values (?)', [5]);
const rows = await db.all('select a from t');
if (rows[0].a !== 5) throw new Error('wrong row');
await db.close();
const other: unknown = await openDatabase({ file: 'user.db', key: new Uint8Array(32).fill(1) }).catch((error: unknown) => error);
if (!(other instanceof Error) || !other.message.includes('wrong key')) throw new Error(String(other));
`;

/** The import depends on the format: see `importOf` in rows.ts. */
const SODIUM = `
sodium.ready.then(() => {
  const [key, nonce] = [sodium.crypto_secretbox_keygen(), sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES)];
  const text: string = sodium.crypto_secretbox_open_easy(sodium.crypto_secretbox_easy('hello', nonce, key), nonce, key, 'text');
  if (text !== 'hello') throw new Error('wrong plaintext');
  const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(key);
  const pushed: Uint8Array = sodium.crypto_secretstream_xchacha20poly1305_push(state, new Uint8Array(4096), null, 3);
  const pulled = sodium.crypto_secretstream_xchacha20poly1305_pull(
    sodium.crypto_secretstream_xchacha20poly1305_init_pull(header, key),
    pushed,
    null,
  );
  if (!pulled || pulled.tag !== sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL) throw new Error('wrong tag');
});`;

/** By the alias of a line: a program that knows only the original. */
const BLAKE3_JIT = `
import { createHasher, createKeyed, hash, hashInto, Hasher, type XofReader } from 'blake3-jit';
const digest: Uint8Array = hash(new Uint8Array(5000));
const out = new Uint8Array(32);
hashInto(new Uint8Array(5000), out);
if (String(digest) !== String(out)) throw new Error('wrong digest');
const hasher: Hasher = createHasher().update(new Uint8Array(5000));
const reader: XofReader = hasher.finalizeXof();
if (String(reader.read(32)) !== String(out)) throw new Error('wrong output');
if (createKeyed(new Uint8Array(32)).finalize(100).length !== 100) throw new Error('wrong length');`;

export const ORIGINALS: Readonly<Record<string, string>> = {
  'noble-ciphers-2': `
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { gcm } from '@noble/ciphers/aes.js';
import { managedNonce, randomBytes } from '@noble/ciphers/utils.js';
for (const cipher of [xchacha20poly1305, gcm]) {
  const box = managedNonce(cipher)(randomBytes(32));
  const text: string = new TextDecoder().decode(box.decrypt(box.encrypt(new TextEncoder().encode('hello'))));
  if (text !== 'hello') throw new Error('wrong plaintext');
}`,
  'noble-ciphers-1': `
import { secretbox } from '@noble/ciphers/salsa';
import { siv } from '@noble/ciphers/aes.js';
import { randomBytes } from '@noble/ciphers/webcrypto';
const [key, nonce] = [randomBytes(32), randomBytes(24)];
const text: string = new TextDecoder().decode(secretbox(key, nonce).open(secretbox(key, nonce).seal(new TextEncoder().encode('hello'))));
if (text !== 'hello' || typeof siv !== 'function') throw new Error('wrong plaintext');`,
  'noble-hashes-2': `
import { blake3 } from '@noble/hashes/blake3.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
const digest: string = bytesToHex(blake3(new Uint8Array(0)));
if (!digest.startsWith('af1349b9f5f9a1a6a0404dea36dcc949')) throw new Error('wrong digest');
if (hkdf(blake3, sha256(new Uint8Array(3)), undefined, undefined, 40).length !== 40) throw new Error('wrong key');
if (hkdf(sha256, new Uint8Array(3), undefined, undefined, 40).length !== 40) throw new Error('wrong key');`,
  'tweetnacl-1': `
import nacl from 'tweetnacl';
const [key, nonce] = [nacl.randomBytes(32), nacl.randomBytes(24)];
const back: Uint8Array | null = nacl.secretbox.open(nacl.secretbox(new Uint8Array(3), nonce, key), nonce, key);
if (back?.length !== 3) throw new Error('wrong plaintext');`,
  'libsodium-wrappers-0': SODIUM,
  'libsodium-wrappers-sumo-0': `${SODIUM}
sodium.ready.then(() => {
  const tag: Uint8Array = sodium.crypto_onetimeauth('hello', new Uint8Array(32));
  if (tag.length !== 16) throw new Error('wrong tag');
});`,
  '@huggingface/blake3-jit': BLAKE3_JIT.replace('blake3-jit', '@huggingface/blake3-jit'),
  'blake3-jit': BLAKE3_JIT,
  'hash-wasm': `
import { argon2id, argon2Verify, md5 } from 'hash-wasm';
const options = { password: 'a', salt: 'somesalt', iterations: 1, parallelism: 1, memorySize: 8, hashLength: 16 };
const done = argon2id({ ...options, outputType: 'encoded' }).then(async (hash: string) => {
  const isRight: boolean = await argon2Verify({ password: 'a', hash });
  if (!isRight) throw new Error('wrong hash');
  const digest: string = await md5('a');
  if (digest !== '0cc175b9c0f1b6a831c399e269772661') throw new Error('wrong digest');
});
done.catch((error: unknown) => setTimeout(() => { throw error; }));`,
  'blake3-wasm': `
import { createHash, using } from 'blake3-wasm';
const digest: string = createHash().update('').digest('hex');
if (!digest.startsWith('af1349b9f5f9a1a6a0404dea36dcc949')) throw new Error('wrong digest');
const output: Uint8Array = using(createHash().reader(), (reader) => {
  reader.position = BigInt(2) ** BigInt(40);
  return reader.read(100);
});
if (output.length !== 100) throw new Error('wrong output');`,
  'noble-hashes-1': `
import { blake3 } from '@noble/hashes/blake3';
import { pbkdf2 } from '@noble/hashes/pbkdf2';
import { sha256 } from '@noble/hashes/sha256.js';
import { bytesToHex } from '@noble/hashes/utils';
const digest: string = bytesToHex(blake3(''));
if (!digest.startsWith('af1349b9f5f9a1a6a0404dea36dcc949')) throw new Error('wrong digest');
if (pbkdf2(blake3, sha256('a'), 'salt', { c: 2, dkLen: 40 }).length !== 40) throw new Error('wrong key');`,
};

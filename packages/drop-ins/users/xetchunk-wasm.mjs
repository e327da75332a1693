// A file in chunks, with their keyed hashes and the hash over these, as the Hub of Hugging Face takes uploads.
import { createHash } from 'node:crypto';
import { createChunker, fileHash, finalize, getChunks, hashToHex, nextBlock } from '@huggingface/xetchunk-wasm';

/** Bytes of a linear congruential generator. */
const file = (length) => {
  const words = new Uint32Array(length / 4);
  let state = 1;
  for (let i = 0; i < words.length; i++) words[i] = state = Math.imul(state, 1664525) + 1013904223;
  return new Uint8Array(words.buffer);
};

const hashed = (length, expected) => {
  const content = file(length);
  return () => {
    const hash = hashToHex(fileHash(getChunks(content)));
    if (hash !== expected) throw new Error(`wrong hash: ${hash}`);
  };
};

// The hashes are those that @huggingface/xetchunk-wasm 0.2.0 has with @huggingface/blake3-jit 0.0.2.
export const cases = {
  'a file of 8 MiB': hashed(1 << 23, '16e4996d401bf02a0bbceb8b821a8c40ff0d03778cd852c2c40ec9dca5069615'),
  'a file of 4 KiB': hashed(1 << 12, '6a0a593f9208ac1b9445d2e92c1875bdb2788cc77b70801cff27514d430c1c54'),
};

const [KIB, MIB] = [1 << 10, 1 << 20];

/** The low bytes of xorshift32 (Marsaglia, 2003). */
const random = (length, seed) => {
  let state = seed | 0;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    return (state ^= state << 5);
  });
};
const made = (length, byteAt) => Uint8Array.from({ length }, (_, i) => byteAt(i));
const text = new TextEncoder().encode('The quick brown fox jumps over the lazy dog. Content-defined chunking. ');
const contents = {
  zeros: () => new Uint8Array(2 * MIB + 17),
  constant: () => made(MIB + 333, () => 59),
  'all-ones': () => made(MIB + 777, () => 255),
  incrementing: () => made(2 * MIB + 123, (i) => i),
  alternating: () => made(MIB + 511, (i) => (i % 2 ? 0x55 : 0xaa)),
  sparse: () => made(2 * MIB + 65, (i) => (i % 4093 ? 0 : i / 4093)),
  text: () => made(2 * MIB + 1009, (i) => text[i % text.length]),
  'random-seed-1': () => random(2 * MIB + 31, 1),
  'random-seed-2': () => random(2 * MIB + 63, 0x12345678),
  'minimum-boundary-regression': () => random(3 * MIB, 0x9e3779b9),
};
const feeds = {
  tiny: [37],
  'window-adjacent': [63, 64, 65],
  'minimum-adjacent': [8191, 8192, 8193],
  irregular: [1, 4093, 65521, 17, MIB],
  '1MiB': [MIB],
};
// gearhash-jit 1.0.2 refuses more than 520,192 bytes, which getChunks would give it for chunks of 1 MiB.
const LARGE = [256 * KIB];
const EDGE = [1, 63, 64, 65, 8191];

/** The content, the length of chunks, and the lengths of the pieces in which the content comes, of a case. */
function conformanceCase(name) {
  const [content, value] = name.split(/, (?:target|feed)=|=/);
  if (content === 'size') return [random(Number(value), 0x6d2b79f5), 64 * KIB, EDGE];
  if (value in feeds) return [contents[content](), 64 * KIB, feeds[value]];
  return [contents[content](), Number(value), Number(value) === MIB ? LARGE : undefined];
}

function* chunksOf(content, target, feed) {
  if (!feed) {
    yield* getChunks(content, target);
    return;
  }
  const chunker = createChunker(target);
  for (let at = 0, i = 0; at < content.length; at += feed[i++ % feed.length])
    yield* nextBlock(chunker, content.subarray(at, at + feed[i % feed.length]));
  const last = finalize(chunker);
  if (last) yield last;
}

// The 59 cases of the conformance test of huggingface.js (packages/xetchunk-wasm/tests/conformance.test.ts, pull request 2423). Its
// judge is xet-core as WebAssembly. The answers are those of the build that huggingface.js had in packages/xetchunk-wasm/vendor at
// commit fe42e6801: of all chunks a line with hash and length, and of these lines the first 8 bytes of SHA-256.
const answers = {
  'zeros, target=8192': 'ebcd8b7c41524072',
  'zeros, target=65536': '3ab5dc49898a1b3b',
  'zeros, target=1048576': '396206f3f3899e5b',
  'constant, target=8192': '2b0e57cb926db0c0',
  'constant, target=65536': '93f8f6dc3a6d6a1c',
  'constant, target=1048576': '012b122df35a7c09',
  'all-ones, target=8192': '24eb38c88dffe23b',
  'all-ones, target=65536': '1d0633cdada7a07c',
  'all-ones, target=1048576': 'd541187471755bc4',
  'incrementing, target=8192': 'e9a5d1cfa80adadb',
  'incrementing, target=65536': '667b02a89688ac91',
  'incrementing, target=1048576': '33f5607fe143e1fa',
  'alternating, target=8192': '836d533cf6ef75b8',
  'alternating, target=65536': 'f4d89cf51dcf4e29',
  'alternating, target=1048576': 'be3475b91dfcfc59',
  'sparse, target=8192': '5f4e2714985e56b8',
  'sparse, target=65536': '9a1c6a46946282be',
  'sparse, target=1048576': '91456c99033f74a1',
  'text, target=8192': '8b59b3feb3787905',
  'text, target=65536': '2639c44d14793dd7',
  'text, target=1048576': '2b8e27848da4d2bc',
  'random-seed-1, target=8192': 'b6f102f850e264cc',
  'random-seed-1, target=65536': '97d66395cb681b7b',
  'random-seed-1, target=1048576': 'fdff04db7a59fae9',
  'random-seed-2, target=8192': '9e27cb2e50e169d5',
  'random-seed-2, target=65536': 'e0bf0eded15e2d08',
  'random-seed-2, target=1048576': 'da41f8d2a49f0931',
  'minimum-boundary-regression, target=8192': 'e51e5303680e8dc7',
  'minimum-boundary-regression, target=65536': '23ac0e349bfa0591',
  'minimum-boundary-regression, target=1048576': '7d42f460cd40af9a',
  'size=0': 'e3b0c44298fc1c14',
  'size=1': '2e505ae5baedc135',
  'size=63': 'b170f3daeac91943',
  'size=64': '83ac78bc986c6114',
  'size=65': 'ec65f237cac44b28',
  'size=8191': 'b6ec2e8e8c909756',
  'size=8192': '503675d12bab6e1d',
  'size=8193': 'fc261135c99cf3d4',
  'size=65535': '497167d7d7dff827',
  'size=65536': '85ec6d89b056fb36',
  'size=65537': '118db349d792c791',
  'size=131071': '9d462cfe20940282',
  'size=131072': '8ef1e30f0b867bd3',
  'size=131073': '94368a7e30106814',
  'text, feed=tiny': '2639c44d14793dd7',
  'text, feed=window-adjacent': '2639c44d14793dd7',
  'text, feed=minimum-adjacent': '2639c44d14793dd7',
  'text, feed=irregular': '2639c44d14793dd7',
  'text, feed=1MiB': '2639c44d14793dd7',
  'random-seed-1, feed=tiny': '97d66395cb681b7b',
  'random-seed-1, feed=window-adjacent': '97d66395cb681b7b',
  'random-seed-1, feed=minimum-adjacent': '97d66395cb681b7b',
  'random-seed-1, feed=irregular': '97d66395cb681b7b',
  'random-seed-1, feed=1MiB': '97d66395cb681b7b',
  'minimum-boundary-regression, feed=tiny': '23ac0e349bfa0591',
  'minimum-boundary-regression, feed=window-adjacent': '23ac0e349bfa0591',
  'minimum-boundary-regression, feed=minimum-adjacent': '23ac0e349bfa0591',
  'minimum-boundary-regression, feed=irregular': '23ac0e349bfa0591',
  'minimum-boundary-regression, feed=1MiB': '23ac0e349bfa0591',
};
for (const [name, answer] of Object.entries(answers)) {
  const lines = createHash('sha256');
  for (const { hash, length } of chunksOf(...conformanceCase(name))) lines.update(`${hashToHex(hash)} ${length}\n`);
  if (lines.digest('hex').slice(0, 16) !== answer) throw new Error(`wrong chunks: ${name}`);
}

// A file in chunks, with their keyed hashes and the hash over these, as the Hub of Hugging Face takes uploads.
import { fileHash, getChunks, hashToHex } from '@huggingface/xetchunk-wasm';

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

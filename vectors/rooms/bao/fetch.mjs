// Known answers of Bao, by its author.
import { join } from 'node:path';
import { crate, pinned } from '../../registries.mjs';

function bao() {
  const sha = 'e819b403a62e5fef51764d00783c3f750a78f8cb72e646f8a9add0c521333de3';
  const { encode, outboard, slice } = JSON.parse(
    pinned(join(crate('bao', '0.13.1'), 'tests', 'test_vectors.json'), sha),
  );
  const tests = encode.map((its, i) => ({
    input_len: its.input_len,
    bao_hash: its.bao_hash,
    encode: { output_len: its.output_len, blake3: its.encoded_blake3, corruptions: its.corruptions },
    outboard: {
      output_len: outboard[i].output_len,
      blake3: outboard[i].encoded_blake3,
      outboard_corruptions: outboard[i].outboard_corruptions,
      input_corruptions: outboard[i].input_corruptions,
    },
    slices: slice[i].slices,
  }));
  return {
    source:
      'tests/test_vectors.json of the repository oconnor663/bao, as in the crate bao 0.13.1: made by its bao.py. The input is a 4-byte little-endian integer that counts from 1. Encodings are told by their BLAKE3; the byte at each corruption, with its lowest bit flipped, must be refused.',
    made: `node vectors/fetch.mjs: encodings, outboards and slices of one length together; SHA-256 of the source file ${sha}`,
    licence: 'CC0-1.0 or Apache-2.0',
    tests,
  };
}

/** By the name of the file that they are written to. */
export const fixtures = { 'bao.json': bao };

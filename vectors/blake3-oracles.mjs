// The implementations that vectors of BLAKE3 are confirmed with: noble, the model, and where cargo is installed the
// official crate, which is the only other one that can start in the middle of a tree.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _compress } from '@noble/hashes/blake2.js';
import { _BLAKE3 } from '@noble/hashes/blake3.js';
import * as model from './blake3-model.mjs';
import { bytes, words } from './model.mjs';
import { hex } from './oracles.mjs';

export const KEY = 'whats the Elvish word for friend';
export const CONTEXT = 'BLAKE3 2019-12-27 16:29:52 test vectors context';
export const inputOf = (length) => Uint8Array.from({ length }, (_, i) => i % 251);
const optionsOf = (mode) => {
  const encoder = new TextEncoder();
  return { hash: {}, keyed_hash: { key: encoder.encode(KEY) }, derive_key: { context: encoder.encode(CONTEXT) } }[mode];
};

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a];
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const SCHEDULE = Array.from({ length: 6 }).reduce(
  (rounds) => [...rounds, ...PERMUTATION.map((i) => rounds.at(-16 + i))],
  Array.from({ length: 16 }, (_, i) => i),
);

const noble = {
  /** noble's hasher has neither a position nor a state to start from; its fields and its compression function do. */
  output({ mode, input, position, length, chunksBefore = 0n, stack = [] }) {
    if (chunksBefore > 1n << 52n) return undefined;
    const hasher = new _BLAKE3(optionsOf(mode));
    hasher.chunksDone = Number(chunksBefore);
    hasher.stack = stack.map((value) => new Uint32Array(words(value)));
    hasher.update(input).xof(1);
    const { state, buffer32, pos, flags } = hasher;
    const skip = Number(position % 64n);
    const out = [];
    for (let block = position / 64n; out.length < skip + length; block++) {
      const counter = [block & 0xffffffffn, block >> 32n].map((word) => Number(word) | 0);
      const v = Object.values(_compress(SCHEDULE, 0, buffer32, 7, ...state, ...IV, ...counter, pos, flags));
      const block16 = [...state.map((_, i) => v[i] ^ v[i + 8]), ...state.map((word, i) => word ^ v[i + 8])];
      out.push(...bytes(block16));
    }
    return Uint8Array.from(out.slice(skip, skip + length));
  },
  subtree({ mode, input, first }) {
    const hasher = new _BLAKE3(optionsOf(mode));
    hasher.chunksDone = Number(first);
    hasher.update(input);
    hasher.buffer.fill(0, hasher.pos);
    // With no chaining values from before, the last one is that of all the input.
    hasher.compress(hasher.buffer32, 0, true);
    return bytes([...hasher.stack.at(-1)]);
  },
};

const ours = {
  output: ({ mode, ...c }) => model.blake3({ ...optionsOf(mode), ...c }),
  subtree: ({ mode, ...c }) => model.blake3Subtree({ ...optionsOf(mode), ...c }),
};

/** Reads lines `output MODE LENGTH POSITION OUTPUT CHUNKS CV,CV` and `subtree MODE LENGTH FIRST`; answers with hex. */
const program = String.raw`
use blake3::hazmat::{hash_derive_key_context, merge_subtrees_non_root, merge_subtrees_root_xof, HasherExt, Mode};
use blake3::{Hasher, OutputReader};
use std::io::BufRead;
const KEY: &[u8; 32] = b"${KEY}";
const CONTEXT: &str = "${CONTEXT}";
fn hex(bytes: &[u8]) -> String { bytes.iter().map(|b| format!("{b:02x}")).collect() }
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let f: Vec<&str> = line.split(' ').collect();
        let context_key = hash_derive_key_context(CONTEXT);
        let (hasher, mode): (fn() -> Hasher, Mode) = match f[1] {
            "hash" => (|| Hasher::new(), Mode::Hash),
            "keyed_hash" => (|| Hasher::new_keyed(KEY), Mode::KeyedHash(KEY)),
            _ => (|| Hasher::new_derive_key(CONTEXT), Mode::DeriveKeyMaterial(&context_key)),
        };
        let input: Vec<u8> = (0..f[2].parse::<usize>().unwrap()).map(|i| (i % 251) as u8).collect();
        let part = |at: u64, bytes: &[u8]| hasher().set_input_offset(at).update(bytes).finalize_non_root();
        let number: u64 = f[3].parse().unwrap();
        if f[0] == "subtree" {
            println!("{}", hex(&part(number * 1024, &input)));
            continue;
        }
        let mut reader: OutputReader = if f[5] == "0" {
            hasher().update(&input).finalize_xof()
        } else {
            let mut chunks: u64 = f[5].parse().unwrap();
            let mut stack: Vec<[u8; 32]> = f[6].split(',').map(|value| {
                let bytes: Vec<u8> = (0..32).map(|i| u8::from_str_radix(&value[2 * i..2 * i + 2], 16).unwrap()).collect();
                bytes.try_into().unwrap()
            }).collect();
            let mut rest = &input[..];
            while rest.len() > 1024 {
                let mut value = part(chunks * 1024, &rest[..1024]);
                rest = &rest[1024..];
                chunks += 1;
                for _ in 0..chunks.trailing_zeros() { value = merge_subtrees_non_root(&stack.pop().unwrap(), &value, mode); }
                stack.push(value);
            }
            let mut value = part(chunks * 1024, rest);
            while stack.len() > 1 { value = merge_subtrees_non_root(&stack.pop().unwrap(), &value, mode); }
            merge_subtrees_root_xof(&stack[0], &value, mode)
        };
        let mut out = vec![0; f[4].parse().unwrap()];
        reader.set_position(number);
        reader.fill(&mut out);
        println!("{}", hex(&out));
    }
}
`;

/** The official crate's answers to many cases, as hex, or undefined if cargo is not installed. */
export function official(cases) {
  const dir = mkdtempSync(join(tmpdir(), 'lanewise-blake3-'));
  try {
    mkdirSync(join(dir, 'src'));
    writeFileSync(
      join(dir, 'Cargo.toml'),
      '[package]\nname = "oracle"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nblake3 = { version = "=1.8.7", features = ["pure"] }\n[workspace]\n',
    );
    writeFileSync(join(dir, 'src', 'main.rs'), program);
    const lines = cases.map(({ method, mode, input, position, length, first, chunksBefore = 0n, stack = [] }) =>
      method === 'subtree'
        ? `subtree ${mode} ${input.length} ${first}`
        : `output ${mode} ${input.length} ${position} ${length} ${chunksBefore} ${stack.map(hex).join()}`,
    );
    return execFileSync('cargo', ['run', '--quiet', '--release'], {
      cwd: dir,
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
      .trim()
      .split('\n');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The answers of noble and the model to one case: [name, hex] pairs. */
export const said = ({ method, ...c }) =>
  Object.entries({ noble, model: ours }).flatMap(([name, oracle]) => {
    const answer = oracle[method](c);
    return answer ? [[name, hex(answer)]] : [];
  });

/** The cases of a test of blake3.json or blake3-edge.json, each with its expected result. */
export function casesOf(test) {
  const input = inputOf(test.input_len);
  if (test.kind === 'subtree')
    return [
      { wanted: test.chainingValue, method: 'subtree', mode: test.mode, input, first: BigInt(test.offset) >> 10n },
    ];
  if (test.kind)
    return [
      {
        wanted: test.output,
        method: 'output',
        mode: test.mode,
        input,
        position: BigInt(test.position),
        length: test.length,
        chunksBefore: BigInt(test.chunksBefore ?? 0),
        stack: (test.stack ?? []).map((value) => Uint8Array.from(Buffer.from(value, 'hex'))),
      },
    ];
  return ['hash', 'keyed_hash', 'derive_key'].map((mode) => ({
    wanted: test[mode],
    method: 'output',
    mode,
    input,
    position: 0n,
    length: test[mode].length / 2,
  }));
}

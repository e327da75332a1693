/** Lanewise: the public API of the library, on each engine. */
import { blake3 } from 'lanewise/blake3.js';
import * as ciphers from 'lanewise/chacha.js';
import { select, type Engine } from 'lanewise/engine.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { messageOf } from '../checks.ts';
import { version } from '#packages';
import {
  HASH_KEY,
  type CipherContestant,
  type Contestant,
  type FullHasher,
  type MacContestant,
  type ReducedRounds,
} from './contestant.ts';

export type Choice = Exclude<Engine, 'native'> | 'auto';
export const engines: readonly Choice[] = ['simd', 'scalar', 'js'];

export type Lanewise = CipherContestant & ReducedRounds & MacContestant & FullHasher;

function refusal(engine: Choice): string | undefined {
  try {
    select(engine);
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    select('auto');
  }
}

const choice = (engine: Choice): Contestant => ({
  name: `lanewise ${engine}`,
  library: 'lanewise',
  standing: 'ours',
  engine,
  version: version('lanewise'),
  unavailable: refusal(engine),
  prepare: () => select(engine),
});

const lanewise = (engine: Choice): Lanewise => ({
  ...choice(engine),
  aead: (name, key, nonce) => ({
    seal: (plaintext, out) => ciphers[name](key, nonce).encrypt(plaintext, out),
    open: (sealed, out) => ciphers[name](key, nonce).decrypt(sealed, out),
  }),
  chacha20: (key, nonce) => (data, out) => ciphers.chacha20(key, nonce, data, out),
  chacha12: (key, nonce) => (data, out) => ciphers.chacha12(key, nonce, data, out),
  chacha8: (key, nonce) => (data, out) => ciphers.chacha8(key, nonce, data, out),
  poly1305: (key) => (message) => poly1305(message, key),
  hash: (message) => blake3(message),
  keyed: (message) => blake3(message, { key: HASH_KEY }),
  pieces(pieces) {
    const hasher = blake3.create();
    for (const piece of pieces) hasher.update(piece);
    return hasher.digest();
  },
  xof: (message, out) => blake3.create().update(message).xofInto(out),
});

export const auto: Lanewise = lanewise('auto');
export const [simd, scalar, js]: readonly Lanewise[] = engines.map(lanewise);
export const lanewiseEngines: readonly Lanewise[] = [simd, scalar, js];

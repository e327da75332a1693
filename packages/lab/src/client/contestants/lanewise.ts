/** Lanewise: the public API of the library, on each engine. */
import { blake3 } from 'lanewise/blake3.js';
import * as ciphers from 'lanewise/chacha.js';
import { offerNative, select, type Engine, type NativeCode } from 'lanewise/engine.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { messageOf } from '../checks.ts';
import { nativeCode, version } from '#packages';
import {
  HASH_KEY,
  type CipherContestant,
  type Contestant,
  type FullHasher,
  type MacContestant,
  type ReducedRounds,
} from './contestant.ts';

export type Choice = Engine | 'auto';
const engines: readonly Choice[] = ['simd', 'scalar', 'js', 'native'];
/** Where programs import it. The other contestants go on as without it, also the one that users get. */
const native = await nativeCode().catch((error: unknown): NativeCode => ({ reason: messageOf(error) }));
const NONE: NativeCode = { reason: 'another engine is measured' };

/** An offer makes kernels look for their instances again, as a selection does. */
function use(engine: Choice): void {
  offerNative(engine === 'native' ? native : NONE);
  select(engine);
}

export type Lanewise = CipherContestant & ReducedRounds & MacContestant & FullHasher;

function refusal(engine: Choice): string | undefined {
  try {
    use(engine);
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    use('auto');
  }
}

const choice = (engine: Choice): Contestant => ({
  name: `lanewise ${engine}`,
  library: 'lanewise',
  standing: 'ours',
  engine,
  version: version('lanewise'),
  unavailable: refusal(engine),
  prepare: () => use(engine),
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

/** The contestant of native code, on vectors of so many words. */
export async function atLanes(lanes: number): Promise<Contestant> {
  const code = await nativeCode(lanes).catch((error: unknown): NativeCode => ({ reason: messageOf(error) }));
  return {
    ...choice('native'),
    name: `lanewise native, ${lanes} lanes`,
    unavailable: 'reason' in code ? code.reason : undefined,
    prepare() {
      offerNative(code);
      select('native');
    },
  };
}

export const auto: Lanewise = lanewise('auto');
export const lanewiseEngines: readonly Lanewise[] = engines.map(lanewise);

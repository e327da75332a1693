/** In workerd, which compiles nothing at run time: modules that it has compiled itself are provided, and used. */
import { blake3 } from 'lanewise/blake3.js';
import { chacha20poly1305, xchacha20poly1305 } from 'lanewise/chacha.js';
import { describe, provide, select } from 'lanewise/engine.js';
import blake3Module from 'lanewise/wasm/blake3.wasm';
import chachaModule from 'lanewise/wasm/chacha.wasm';
import salsaModule from 'lanewise/wasm/salsa.wasm';
import type { Provided } from './messages.ts';

const sample = (length: number, step: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i * step + 1);
const [key, nonce, message] = [sample(32, 7), sample(24, 5), sample(65_536, 3)];
const lengths = [0, 1, 64, 65, 1000, 65_536];

const sealed = (): Uint8Array[] =>
  lengths.flatMap((length) => [
    xchacha20poly1305(key, nonce).encrypt(message.subarray(0, length)),
    chacha20poly1305(key, nonce.subarray(0, 12)).encrypt(message.subarray(0, length)),
    blake3(message.subarray(0, length)),
  ]);
const same = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean =>
  a.every((bytes, i) => bytes.length === b[i].length && bytes.every((byte, j) => byte === b[i][j]));

function refusal(call: () => unknown): string {
  try {
    call();
    return 'nothing was thrown';
  } catch (error) {
    return String(error);
  }
}

/** Results before and after, which the caller compares. */
function provideAll(): Provided {
  const before = describe();
  const answers = sealed();
  const refused = {
    bytes: refusal(() => provide(key)),
    // Salsa20 is not imported.
    foreign: refusal(() => provide(salsaModule)),
  };
  provide(chachaModule);
  provide(blake3Module);
  return { before, after: describe(), refused, same: same(answers, sealed()) };
}

let provided: Provided | undefined;
export default {
  /** `?engine` seals 64 KiB `count` times: workerd's clock stands still within a request. */
  fetch(request: Request): Response {
    provided ??= provideAll();
    const { searchParams } = new URL(request.url);
    select(searchParams.get('engine') === 'js' ? 'js' : 'auto');
    for (let count = Number(searchParams.get('count') ?? 0); count > 0; count--)
      xchacha20poly1305(key, nonce).encrypt(message);
    return Response.json(provided);
  },
};

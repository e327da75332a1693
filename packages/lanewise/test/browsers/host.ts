/** The host, as its mode describes it: which engines of the library work, and why the others do not. */
import { expect, test } from 'vitest';
import { chacha20poly1305 } from '../../src/chacha.ts';
import { describe, select } from '../../src/engine.ts';
import { hex, refusal, sample } from '../support/bytes.ts';
import { engines } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const host = globalThis as unknown as {
  readonly lanewiseIsolated: boolean;
  lanewiseNote?: string;
  readonly crossOriginIsolated?: boolean;
};

/** The errors of Chromium and workerd, Firefox, and WebKit if they may not compile; and of hosts without WebAssembly. */
const REFUSAL =
  /there is no WebAssembly|Content Security Policy|Content Security policy|disallowed by embedder|blocked by CSP|Refused to create a WebAssembly object/;
const NO_ENGINE = /^Error: no engine works here: the host is big-endian$/;

// This test is first, while no engine has been selected.
if (engines.length === 0)
  test('no engine works, and every call says why', () => {
    expect(refusal(() => chacha20poly1305(sample(32, 1), sample(12, 2)).encrypt(sample(1, 3)))).toMatch(NO_ENGINE);
    expect(refusal(describe)).toMatch(NO_ENGINE);
    host.lanewiseNote = 'an error';
  });
else
  test('what users get is the best that works here, and it is right', () => {
    const [key, nonce, message] = [sample(32, 1), sample(12, 2), sample(1000, 3)];
    const sealed = chacha20poly1305(key, nonce).encrypt(message);
    expect(hex(sealed)).toBe(hex(oracles.seal(key, nonce, new Uint8Array(0), message)));
    const { engine, relaxed, reason } = describe();
    expect(engine).toBe(engines[0]);
    host.lanewiseNote = `${engine}${relaxed ? ', relaxed vectors' : ''}${reason === undefined ? '' : `: ${reason}`}`;
  });

test('every engine works that should', () => {
  for (const engine of engines) {
    select(engine);
    expect(describe().engine).toBe(engine);
  }
  select('auto');
});

test('the js engine works on little-endian hosts only, and says so', () => {
  const bigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;
  expect(engines.includes('js')).toBe(!bigEndian);
  if (bigEndian)
    expect(refusal(() => select('js'))).toBe('Error: "engine" js is not available: the host is big-endian');
});

test('the others do not, and the reason is what the host says', () => {
  if (engines.length === 0) expect(refusal(() => select('scalar'))).toMatch(REFUSAL);
  const others = (['simd', 'scalar'] as const).filter((name) => engines.length > 0 && !engines.includes(name));
  for (const engine of others) {
    expect(describe().reason).toContain(`no ${engine}: `);
    expect(describe().reason).toMatch(REFUSAL);
    expect(refusal(() => select(engine))).toMatch(REFUSAL);
  }
  if (engines[0] === 'simd') expect(describe().reason).toBeUndefined();
});

test('it is isolated from other origins if it should be', () => {
  expect(host.crossOriginIsolated ?? false).toBe(host.lanewiseIsolated);
});

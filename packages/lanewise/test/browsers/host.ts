/** What a run says that its host is, held against the host: which engines of ours work, and why the others do not. */
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

/** How Chromium and workerd, Firefox, and WebKit say that they may not compile. */
const REFUSAL =
  /Content Security Policy|Content Security policy|disallowed by embedder|blocked by CSP|Refused to create a WebAssembly object/;

// First, while nothing has been selected.
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

test('the others do not, and the reason is what the host says', () => {
  for (const engine of (['simd', 'scalar'] as const).filter((name) => !engines.includes(name))) {
    expect(describe().reason).toContain(`no ${engine}: `);
    expect(describe().reason).toMatch(REFUSAL);
    expect(refusal(() => select(engine))).toMatch(REFUSAL);
  }
  if (engines.length === 3) expect(describe().reason).toBeUndefined();
});

test('it is isolated from other origins if it should be', () => {
  expect(host.crossOriginIsolated ?? false).toBe(host.lanewiseIsolated);
});

/** Hashes of passwords as text: those of the reference, round trips, and hostile texts by the thousand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashPassword, needsRehash, OWASP, RFC_9106, verifyPassword } from '../../src/argon2.ts';
import { sample, unhex } from '../support/bytes.ts';

interface Vector {
  readonly m: number;
  readonly password: string;
  readonly encoded?: string;
}
const { tests } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors/argon2.json'), 'utf8')) as {
  tests: Vector[];
};
const small = tests.filter(({ m, encoded }) => encoded !== undefined && m <= 256);
const CHEAP = { m: 8, t: 1 };
/** Of 'password' and 'somesalt', from the reference's tests. */
const KNOWN = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
const refusalOf = (text: unknown): string => {
  try {
    needsRehash(text as string);
    return 'taken';
  } catch (error) {
    return String(error);
  }
};

describe('texts of the reference', () => {
  it.each(small)('$encoded', async ({ encoded, password }) => {
    expect(await verifyPassword(unhex(password), encoded!)).toBe(true);
    expect(await verifyPassword('passwore', encoded!)).toBe(false);
  });
});

describe('hashPassword', () => {
  it('makes texts that verify, with and without a secret', async () => {
    const secret = sample(32, 1);
    const text = await hashPassword('Passwort ✓', { ...CHEAP, secret });
    expect(text).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await verifyPassword('Passwort ✓', text, { secret })).toBe(true);
    expect(await verifyPassword(new TextEncoder().encode('Passwort ✓'), text, { secret })).toBe(true);
    expect(await verifyPassword('Passwort ✓', text)).toBe(false);
    expect(await hashPassword('Passwort ✓', { ...CHEAP, secret })).not.toBe(text);
  });

  it('refuses hashes that cannot be read again', () => {
    expect(() => hashPassword('x', { ...CHEAP, dkLen: 65 })).toThrow('"dkLen" expected integer from 12 to 64');
    expect(() => hashPassword(5 as never)).toThrow('"password" expected string or Uint8Array, got type=number');
  });
});

describe('needsRehash', () => {
  it('compares costs, kind and version', async () => {
    const text = await hashPassword('x', CHEAP);
    expect([needsRehash(text, { ...CHEAP, p: 1 }), needsRehash(text), needsRehash(text, RFC_9106)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(needsRehash(KNOWN.replace('argon2id', 'argon2i'), { m: 256, t: 2 })).toBe(true);
    expect(needsRehash(KNOWN.replace('$v=19', ''), { m: 256, t: 2 })).toBe(true);
    expect(OWASP).toEqual({ m: 19_456, t: 2, p: 1 });
  });
});

describe('hostile texts', () => {
  it('above the limits are refused before any work', () => {
    const costs = (m: number, t: number, p: number): string => KNOWN.replace('m=256,t=2,p=1', `m=${m},t=${t},p=${p}`);
    expect(() => verifyPassword('x', costs(4_294_967_295, 1, 1))).toThrow('"maxwork" expected at least t*m=');
    expect(() => verifyPassword('x', costs(8, 4_294_967_295, 1))).toThrow('"maxwork" expected at least t*m=');
    expect(() => verifyPassword('x', costs(2_097_152, 1, 1))).toThrow('"maxmem" expected at least 1024*m=');
    expect(() => verifyPassword('x', costs(256, 1, 1), { maxmem: 1000 })).toThrow('"maxmem" expected');
    expect(() => verifyPassword('x', costs(256, 1, 99_999_999))).toThrow('"p" expected integer from 1 to');
    expect(() => verifyPassword('x', costs(8, 1, 2))).toThrow('"m" expected integer from 16 up, got 8');
  });

  it.each([
    ['', ' ', '$', '$argon2id', '$argon2id$', KNOWN + '$', KNOWN + '\n', KNOWN + '=', '\0' + KNOWN, ` ${KNOWN}`].map(
      (x) => x,
    ),
    [
      KNOWN.replace('v=19', 'v=18'),
      KNOWN.replace('v=19', 'v=019'),
      KNOWN.replace('m=256', 'm=0256'),
      KNOWN.replace('m=256', 'm=-1'),
      KNOWN.replace('m=256', 'm=1e3'),
      KNOWN.replace('m=256', 'm=99999999999999999999'),
      KNOWN.replace('m=256,t=2', 't=2,m=256'),
      KNOWN.replace('p=1', 'p=1,keyid=AA'),
      KNOWN.replace('argon2id', 'argon2ID'),
      KNOWN.replace('c29tZXNhbHQ', 'c29tZXNhbHQ='),
      // Bits after the last byte, and a length that no bytes have.
      KNOWN.replace('c29tZXNhbHQ', 'c29tZXNhbHR'),
      KNOWN.replace('c29tZXNhbHQ', 'c29tZXNhbHQAA'),
      KNOWN.replace('c29tZXNhbHQ', 'c29t'),
      KNOWN.replace('c29tZXNhbHQ', 'c29tZXNhb-Q'),
      KNOWN.slice(0, -36),
      KNOWN + 'A'.repeat(1_000_000),
    ],
  ])('of other forms: %#', (...texts) => {
    for (const text of texts.flat())
      expect(refusalOf(text), text.slice(0, 100)).toMatch(/^RangeError: "encoded" expected \$argon2id/);
  });

  it('that aren’t texts', () => {
    expect(refusalOf(undefined)).toBe('TypeError: "encoded" expected string, got type=undefined');
    expect(refusalOf(new Uint8Array(3))).toBe('TypeError: "encoded" expected string, got type=Uint8Array');
  });

  it('by the thousand: each changed text is refused, or names other bytes', () => {
    let seed = 1;
    const below = (n: number): number => (seed = Math.imul(seed, 0x9e3779b1) + 0x7f4a7c15) >>> 0 && (seed >>> 8) % n;
    const letters = '$=,+/.-_ abcxyzABCXYZ0123456789\0\n✓';
    let taken = 0;
    for (let i = 0; i < 5000; i++) {
      let text = KNOWN;
      for (let k = below(3); k >= 0; k--) {
        const at = below(text.length + 1);
        text =
          text.slice(0, at) +
          ['', letters[below(letters.length)], text.slice(0, below(20))][below(3)] +
          text.slice(at + below(3));
      }
      const said = refusalOf(text);
      if (said === 'taken') taken++;
      else expect(said).toMatch(/^RangeError: "encoded" expected/);
      expect(said).not.toContain('c29tZXNhbHQ');
    }
    expect(taken).toBeGreaterThan(10);
  });
});

/** The vectors of C2SP's CCTV through the command. `packages/age/test/cctv.test.ts` has them without a program for each. */
import * as cctv from 'cctv-age';
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { put, withPassphrase } from './age-programs.ts';
import { lanewise } from './programs.ts';

describe('the vectors of CCTV', () => {
  const files = Object.entries(cctv as Record<string, Uint8Array>).filter(([name]) => name !== 'default');

  it.each(files)('%s', (_, whole) => {
    const all = Buffer.from(whole);
    const at = all.indexOf('\n\n');
    const values = (key: string): string[] =>
      [
        ...all
          .subarray(0, at)
          .toString()
          .matchAll(/^([^:]+): (.*)$/gm),
      ].flatMap(([, name, value]) => (name === key ? [value] : []));
    const body = all.subarray(at + 2);
    const file = values('compressed')[0] === 'zlib' ? inflateSync(body) : body;
    const success = values('expect')[0] === 'success';
    put('identities', `${values('identity').join('\n')}\n`);
    const [passphrase] = values('passphrase');
    put('vector.age', file);
    const by = values('identity').length && passphrase === undefined ? ['-i', 'identities'] : [];
    const result =
      passphrase === undefined
        ? lanewise(['decrypt', ...by, 'vector.age'])
        : withPassphrase(passphrase, ['decrypt', 'vector.age']);
    // More than one passphrase is for programs that try several.
    if (values('passphrase').length > 1) return;
    expect(result.status).toBe(success ? 0 : 1);
    const [hash] = values('payload');
    if (hash !== undefined) expect(createHash('sha256').update(result.stdout).digest('hex')).toBe(hash);
    else expect(result.stdout).toHaveLength(0);
  });
});

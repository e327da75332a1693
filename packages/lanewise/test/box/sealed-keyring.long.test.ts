/** A file of a keyring with every character replaced, and cut off everywhere: thousands of errors. */
import { expect, it } from 'vitest';
import { createKeyring, openKeyring, sealKeyring } from '../../src/box.ts';

const passphrase = 'correct horse battery staple';

it('thousands of changed files: each is refused, at once or as a wrong passphrase', async () => {
  const file = await sealKeyring(createKeyring(), passphrase, { t: 1, m: 8, p: 1 });
  const isRefused = async (wrong: string): Promise<string> => {
    try {
      await openKeyring(wrong, passphrase, { maxmem: 2 ** 16, maxwork: 64 });
    } catch (error) {
      return String(error);
    }
    return 'opened';
  };
  for (let at = 0; at < file.length; at++) {
    const changed = ['0', '9', 'A', 'z', '"', '\u0000', '-', '{', '\u20ac', '\\']
      .filter((character) => character !== file[at])
      .map((character) => file.slice(0, at) + character + file.slice(at + 1));
    for (const wrong of [file.slice(0, at), ...changed, file.slice(0, at) + file.slice(at + 1)])
      expect(await isRefused(wrong)).toMatch(
        /^(RangeError: "(file|salt|keys|t|m|p|maxmem|maxwork)" expected|Error: wrong passphrase, or a keyring that was changed)/,
      );
  }
}, 120_000);

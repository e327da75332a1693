/** White space around armored files, and lines of other kinds: accepted and refused as by age 1.3.1, which Go builds. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findAge } from '../../cli/test/find-age.ts';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from '../src/index.ts';

const programs = findAge();
if (!programs) console.log('skipped: age 1.3.1 is missing, and Go could not build it');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-age-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(!programs)('200 kinds of white space in front and behind', async () => {
  const identity = await generateIdentity();
  writeFileSync(join(folder, 'identity'), identity);
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  let state = 1;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const verdicts = { accepted: 0, refused: 0 };
  for (let i = 0; i < 200; i++) {
    const armored = new TextDecoder().decode(await encrypter.encrypt(new Uint8Array(random(200)), { armor: true }));
    const pieces = ['\n', '\r\n', ' ', '\t', '\r', '\v\f', ' \n', ' '.repeat(random(520)), '\n'.repeat(random(520))];
    const space = (): string => Array.from({ length: random(4) }, () => pieces[random(pieces.length)]).join('');
    const [front, behind] = [random(2) ? space() : '', random(2) ? space() : ''];
    const text = front + armored + behind;
    const { status } = spawnSync(join(programs!, 'age'), ['-d', '-i', join(folder, 'identity')], { input: text });
    const ours = await decrypter.decrypt(new TextEncoder().encode(text)).then(
      () => 0,
      () => 1,
    );
    expect(ours, JSON.stringify([front, behind])).toBe(status);
    verdicts[ours === 0 ? 'accepted' : 'refused']++;
  }
  expect(verdicts.accepted).toBeGreaterThan(30);
  expect(verdicts.refused).toBeGreaterThan(30);
});

/**
 * C2SP age.md, "ASCII armor": "age implementations SHOULD reject non-canonical ASCII armor encodings except for whitespace before and after
 * the PEM block". The command of age before 1.2 looks for the first line at the very start, so it takes a file with white space in front for
 * a binary one. Of thousands of damaged files beside age 1.1.1 of Debian, those are the only ones with another verdict.
 */
it('line ends and blanks in front are accepted, which older versions of the command take for a binary file', async () => {
  const identity = await generateIdentity();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const armored = new TextDecoder().decode(await encrypter.encrypt(Uint8Array.of(1, 2), { armor: true }));
  const old = spawnSync('age', ['--version'], { encoding: 'utf8' });
  const isOld = old.status === 0 && /^v?1\.[01]\./.test(old.stdout);
  writeFileSync(join(folder, 'older'), identity);
  for (const space of ['\n', '  \n', '\r\n', '\n\n \n']) {
    const text = space + armored;
    expect(await decrypter.decrypt(new TextEncoder().encode(text)), JSON.stringify(space)).toEqual(Uint8Array.of(1, 2));
    if (!isOld) continue;
    const { status, stderr } = spawnSync('age', ['-d', '-i', join(folder, 'older')], { input: text, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('parsing age header: unexpected intro')]);
  }
});

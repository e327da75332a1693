// The last step of Poly1305, in each claim that has one, with a proof that Coq accepts; and a damaged last step, which it refuses.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coqVersion, verdicts, type Verdict } from '../src/certificate/check.ts';

const version = coqVersion();
if (version === undefined)
  console.log("certificates are written, and not checked: there is no coqc, of Debian's package coq");
else console.log(version);

const source = join(import.meta.dirname, '../src');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-certificate-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a program prints that runs with the hooks. */
function hooked(program: string, ...args: readonly string[]): string {
  const hooks = join(source, 'certificate/hooks.ts');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', hooks, program, ...args],
    {
      encoding: 'utf8',
    },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}
const checked = (name: string): Verdict[] => [...verdicts(join(folder, name))];

const MINUTES = 60_000;

describe('certificates of all claims', () => {
  const all = join(folder, 'all');
  let printed = '';
  beforeAll(() => void (printed = hooked(join(source, 'certificate/write.ts'), all, '')), 20 * MINUTES);

  it('are three: modules share one statement, whether vectors are there or not; one has no s; the text has its own', () => {
    expect(printed).toMatch(/^3 certificates for the last steps of \d{3} claims/);
    const texts = [1, 2, 3].map((i) => readFileSync(join(all, `LastStep${i}.v`), 'utf8'));
    // Instructions as they were executed: a count of a shift is a remainder still.
    expect(texts[0]).toContain('let d1 := shr 21474836480 d0 in');
    expect(texts[0]).toContain(':= bitand 32 63 in');
    expect(texts.filter((text) => text.includes('number s0 s1 s2 s3) mod 2 ^ 128.'))).toHaveLength(2);
    expect(texts.filter((text) => text.includes('mod p + 0) mod 2 ^ 128.'))).toHaveLength(1);
  });

  it.runIf(version)(
    'are accepted by Coq, without an assumption',
    () => {
      expect(checked('all').map(({ isAccepted }) => isAccepted)).toEqual([true, true, true]);
      // A theorem without a proof is an assumption.
      const name = join(all, 'LastStep1.v');
      writeFileSync(name, readFileSync(name, 'utf8').replace(/Proof\.[^]*Qed\./, 'Admitted.'));
      const [first] = checked('all');
      expect(first.isAccepted).toBe(false);
      expect(first.said).toContain('Axioms:');
    },
    10 * MINUTES,
  );
});

describe('a damaged last step', () => {
  let counts: Record<string, number> = {};
  beforeAll(() => {
    counts = JSON.parse(hooked(join(import.meta.dirname, 'certificate-damaged.ts'), folder)) as Record<string, number>;
  }, 5 * MINUTES);

  it('has a certificate like others', () => {
    expect(Object.keys(counts)).toHaveLength(7);
    expect(Object.values(counts).every((count) => count === 1)).toBe(true);
  });

  it.runIf(version).each([
    ['right', true],
    ['4 for 5 that is added', false],
    ['4 for 5 that is multiplied', false],
    ['bit 131 for bit 130', false],
    ['no carry', false],
    ['text: right', true],
    ['text: 4 for 5', false],
  ])(
    'is refused: %s',
    (name, isRight) => {
      const [{ isAccepted, said }] = checked(name);
      expect({ isAccepted, said }).toEqual({
        isAccepted: isRight,
        said: isRight ? 'Closed under the global context\n' : (expect.stringContaining('Error:') as string),
      });
    },
    10 * MINUTES,
  );
});

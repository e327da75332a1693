/** Files both ways with age 1.3.1. */
import { beforeAll, describe, expect, it } from 'vitest';
import { age, get, hasAge, IDENTITY, put, RECIPIENT, withPassphrase } from './age-programs.ts';
import { bytes, lanewise } from './programs.ts';

const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 1_048_575, 1_048_576, 3_000_001];

describe.skipIf(!hasAge)('age 1.3.1', () => {
  beforeAll(() => {
    put('key.txt', `${IDENTITY}\n`);
    lanewise(['keygen', '--pq', '-o', 'pq.txt']);
    put('pq.pub', lanewise(['keygen', '-y', 'pq.txt']).stdout);
  });

  describe.each(sizes)('%i bytes', (length) => {
    const input = bytes(length);

    it.each([
      ['for a key', ['-r', RECIPIENT], ['-i', 'key.txt']],
      ['for a key, armored', ['-a', '-r', RECIPIENT], ['-i', 'key.txt']],
      ['for a post-quantum key', ['-R', 'pq.pub'], ['-i', 'pq.txt']],
    ])('%s, both ways', (_, to, by) => {
      put('theirs.age', age(to, input));
      expect(lanewise(['decrypt', ...by, 'theirs.age']).stdout.equals(input)).toBe(true);
      put('ours.age', lanewise(['encrypt', ...to], input).stdout);
      expect(age(['-d', ...by, 'ours.age']).equals(input)).toBe(true);
    });
  });

  it('with a passphrase, both ways', () => {
    put('theirs.age', age(['-e', '-j', 'batchpass'], 'test\n'));
    expect(withPassphrase('password', ['decrypt', 'theirs.age']).stdout.toString()).toBe('test\n');
    put('ours.age', withPassphrase('password', ['encrypt', '-p'], 'test\n').stdout);
    expect(age(['-d', '-j', 'batchpass', 'ours.age']).toString()).toBe('test\n');
  });

  it('keys, both ways', () => {
    put('their-key.txt', age([], '', 'age-keygen'));
    const recipient = age(['-y', 'their-key.txt'], '', 'age-keygen').toString();
    expect(lanewise(['keygen', '-y', 'their-key.txt']).stdout.toString()).toBe(recipient);
    lanewise(['keygen', '-o', 'our-key.txt']);
    expect(age(['-y', 'our-key.txt'], '', 'age-keygen').toString()).toBe(
      lanewise(['keygen', '-y', 'our-key.txt']).stdout.toString(),
    );
    expect(age(['-y', 'pq.txt'], '', 'age-keygen').toString()).toBe(get('pq.pub').toString());
  });

  it('inspection', () => {
    put('file.age', age(['-r', RECIPIENT], bytes(200_000)));
    const theirs = JSON.parse(age(['--json', 'file.age'], '', 'age-inspect').toString()) as {
      stanza_types: string[];
      sizes: { header: number; min_payload: number };
    };
    const ours = JSON.parse(lanewise(['inspect', '--json', 'file.age']).stdout.toString()) as Record<string, unknown>;
    expect(ours['recipients']).toEqual(theirs.stanza_types);
    expect(ours['headerSize']).toBe(theirs.sizes.header);
    expect(ours['plaintextSize']).toBe(theirs.sizes.min_payload);
  });
});

/** How many files `encrypt -p` loads: each of them delays its start. `loaded.servers.test.ts` counts those of `hash --queue`. */
import { expect, it } from 'vitest';
import { built, loaded, noted } from './loaded-files.ts';
import { file, folder, lanewise, main, program } from './programs.ts';

it.each([
  ['as published', built, { own: 28, others: 8 }],
  ['from its sources', main, { own: 40, others: 8 }],
])('encrypt -p, %s', (_, command, expected) => {
  file('plain', 'hello');
  const arguments_ = [command, 'encrypt', '-p', '-o', `${folder}/sealed`, `${folder}/plain`];
  const variables = { AGE_PASSPHRASE: 'five words', AGE_PASSPHRASE_WORK_FACTOR: '10' };
  expect(program(process.execPath, arguments_, '', { ...variables, ...noted })).toMatchObject({
    status: 0,
    stderr: '',
  });
  const { own, others } = loaded();
  expect({ own: own.length, others: others.length }, own.join('\n')).toEqual(expected);
  // A passphrase needs neither curves nor the package that has them.
  expect(others.filter((other) => /age-encryption|curves|post-quantum/.test(other))).toEqual([]);
  // The loader works, and the file is one of age.
  const decrypted = lanewise(['decrypt', '-o', '-', `${folder}/sealed`], '', variables);
  expect(decrypted.stdout.toString()).toBe('hello');
});

/** How many files `encrypt` loads: each of them delays its start. `loaded.servers.test.ts` counts those of `hash --queue`. */
import { expect, it } from 'vitest';
import { built, loaded, noted } from './loaded-files.ts';
import { file, folder, lanewise, main, program } from './programs.ts';

const published = { own: 28, others: 7 };
const sources = { own: 40, others: 7 };

it.each([
  ['as published', built, published],
  ['from its sources', main, sources],
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

it.each([
  ['as published', built, published],
  ['from its sources', main, sources],
])('encrypt -r, %s', (_, command, expected) => {
  file('plain', 'hello');
  // The public key that RFC 7748 §6.1 gives to Alice.
  const recipient = 'age1s5s0qzvfxzn4gayt0hwtg0hhtgxm7wsdycup4a8t5j5ca25mfe4qt4hs7q';
  const { status, stderr } = program(
    process.execPath,
    [command, 'encrypt', '-r', recipient, '-o', `${folder}/sealed`, `${folder}/plain`],
    '',
    noted,
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { own, others } = loaded();
  expect({ own: own.length, others: others.length }, own.join('\n')).toEqual(expected);
  // The engine has X25519; post-quantum recipients alone need the package.
  expect(others.filter((other) => /age-encryption|curves|post-quantum|bip39/.test(other))).toEqual([]);
});

/** Recipients, identities and sources that the caller has written: their results are checked, with messages of this package. */
import * as typage from 'age-encryption';
import { expect, it } from 'vitest';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient, inspect } from '../src/index.ts';

const any = (value: unknown): never => value as never;
const plaintext = new Uint8Array(40);
const encrypter = new Encrypter();
encrypter.addRecipient(await identityToRecipient(await generateIdentity()));

it.each<[string, () => unknown, string]>([
  ...[undefined, 0, ''].map((gives): [string, () => unknown, string] => [
    `a file key that is ${JSON.stringify(gives)}`,
    async () => {
      const other = new Decrypter();
      other.addIdentity({ unwrapFileKey: () => any(gives) });
      return other.decrypt(await encrypter.encrypt('x'));
    },
    `"file key" expected Uint8Array, or null if no stanza fits, got type=${typeof gives}`,
  ]),
  ...(
    [
      [undefined, '"wrapFileKey" expected function that gives an array of Stanza, got type=undefined'],
      [5, '"wrapFileKey" expected function that gives an array of Stanza, got type=number'],
      [new typage.Stanza(['x'], plaintext), 'array of Stanza, got type=Object'],
      [[undefined], '"args" expected array of strings in each Stanza, got type=undefined'],
      [[5], '"args" expected array of strings in each Stanza, got type=undefined'],
      [[{ args: 'x', body: plaintext }], '"args" expected array of strings in each Stanza, got type=string'],
      [[{ args: ['x', 5], body: plaintext }], '"args" expected array of strings in each Stanza, got type=number'],
      [[{ args: [], body: plaintext }], '"args" expected strings of visible ASCII characters'],
      [[{ args: ['x y'], body: plaintext }], '"args" expected strings of visible ASCII characters'],
      [[{ args: ['x\n'], body: plaintext }], '"args" expected strings of visible ASCII characters'],
      [[{ args: ['x'] }], '"body" expected Uint8Array, got type=undefined'],
    ] as const
  ).map(([gives, message]): [string, () => unknown, string] => [
    `a recipient that gives ${JSON.stringify(gives)}`.slice(0, 60),
    () => {
      const other = new Encrypter();
      other.addRecipient({ wrapFileKey: () => any(gives) });
      return other.encrypt('x');
    },
    message,
  ]),
  ...(
    [
      [
        'next() that gives nothing',
        () => ({ next: () => undefined }),
        'as objects { done, value }, got type=undefined',
      ],
      ['next() that gives a number', () => ({ next: () => 5 }), 'as objects { done, value }, got type=number'],
      ['no next()', () => ({}), 'iterator has next(), got type=undefined'],
      ['no iterator', () => undefined, 'that gives an iterator, got type=undefined'],
    ] as const
  ).flatMap(([what, make, message]) =>
    [Symbol.iterator, Symbol.asyncIterator].map((method): [string, () => unknown, string] => [
      `a source with ${what}, ${String(method)}`,
      () => inspect(any({ [method]: make })),
      message,
    ]),
  ),
  [
    'labels that are none',
    () => {
      const other = new Encrypter();
      other.addRecipient(any({ labels: 5, wrapFileKey: () => [] }));
      return other.encrypt('x');
    },
    '"labels" expected array of strings, got type=number',
  ],
  [
    'a stream whose reader gives nothing',
    () => inspect(any({ getReader: () => ({ read: () => undefined, cancel() {}, releaseLock() {} }) })),
    '"file" expected source whose pieces come as objects { done, value }, got type=undefined',
  ],
])('%s', async (_, call, message) => {
  const error = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
  expect(error?.message).toContain(message);
});

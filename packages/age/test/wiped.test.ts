/** The file key is wiped whenever a call is over: as that of a recipient sees it, whose argument it is. */
import { expect, it } from 'vitest';
import { Encrypter, Stanza, type Recipient } from '../src/index.ts';

const failure = new Error('no card in the reader');
const header = (length: number): Stanza[] => [new Stanza(['x', 'y'.repeat(length)], new Uint8Array(5))];

const recipients: Record<string, { readonly recipient: Recipient; readonly message?: string }> = {
  'after a file': { recipient: { wrapFileKey: () => header(1) } },
  'after a recipient that throws': {
    recipient: {
      wrapFileKey: () => {
        throw failure;
      },
    },
    message: failure.message,
  },
  'after a recipient that gives none': {
    recipient: { wrapFileKey: () => undefined as never },
    message: 'expected function that gives an array of Stanza',
  },
  'after a line that is too long': { recipient: { wrapFileKey: () => header(20_000) }, message: 'line' },
  'when a signal is aborted, and the recipient never answers': {
    recipient: { wrapFileKey: () => new Promise<never>(() => {}) },
    message: 'changed my mind',
  },
};

it.each(Object.entries(recipients))('%s', async (_, { recipient, message }) => {
  for (const call of ['encrypt', 'encrypt of a stream', 'sealer', 'fileHeader'] as const) {
    const encrypter = new Encrypter();
    let seen: Uint8Array | undefined;
    encrypter.addRecipient({
      wrapFileKey(fileKey) {
        seen = fileKey;
        expect(fileKey.some((byte) => byte !== 0)).toBe(true);
        return header(1);
      },
    });
    encrypter.addRecipient(recipient);
    const controller = new AbortController();
    const { signal } = controller;
    setTimeout(() => controller.abort(new Error('changed my mind')), 50);
    const made = {
      encrypt: () => encrypter.encrypt('hello', { signal }),
      'encrypt of a stream': () => encrypter.encrypt(new Blob(['hello']), { signal }),
      sealer: () => encrypter.sealer({ signal }),
      fileHeader: () => encrypter.fileHeader({ signal }),
    }[call]();
    if (message === undefined) await made;
    else await expect(made).rejects.toThrow(message);
    expect(seen).toEqual(new Uint8Array(16));
  }
});

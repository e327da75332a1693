/** Recipients of X25519 by the engine's own cryptography: as the specification has them, and where the engine refuses. */
import { bech32 } from '@scure/base';
import * as typage from 'age-encryption';
import { createDecipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { Encrypter, readHeader } from '../src/index.ts';
import { decrypter, encrypter, identity, recipient } from './parties.ts';

const { subtle } = crypto;
afterEach(() => vi.restoreAllMocks());

/** The prefix of a key of X25519 in PKCS #8 (RFC 8410 §7), and in the form of public keys (§4). */
const PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');

it('is the stanza of the specification', async () => {
  const { header } = await readHeader(new Blob([await encrypter.encrypt('hello')]));
  const [, line, body] = new TextDecoder().decode(header.header).split('\n');
  const [, kind, encoded] = line.split(' ');
  expect(kind).toBe('X25519');
  const share = Buffer.from(encoded, 'base64');
  const secret = diffieHellman({
    privateKey: createPrivateKey({
      key: Buffer.concat([PRIVATE, bech32.decodeToBytes(identity).bytes]),
      format: 'der',
      type: 'pkcs8',
    }),
    publicKey: createPublicKey({ key: Buffer.concat([PUBLIC, share]), format: 'der', type: 'spki' }),
  });
  const salt = Buffer.concat([share, bech32.decodeToBytes(recipient).bytes]);
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'age-encryption.org/v1/X25519', 32));
  const sealed = Buffer.from(body, 'base64');
  const decipher = createDecipheriv('chacha20-poly1305', key, new Uint8Array(12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(16));
  const fileKey = Buffer.concat([decipher.update(sealed.subarray(0, 16)), decipher.final()]);
  const opener = new typage.Decrypter();
  opener.addIdentity(identity);
  expect(new Uint8Array(fileKey)).toEqual(await opener.decryptHeader(header.header));
});

it.each(['generateKey', 'importKey', 'exportKey', 'deriveBits'] as const)(
  'by age-encryption where %s fails in the engine',
  async (name) => {
    const wrapped = vi.spyOn(typage.Encrypter.prototype, 'addRecipient');
    await encrypter.encrypt('hello');
    expect(wrapped).not.toHaveBeenCalled();
    vi.spyOn(subtle, name).mockRejectedValue(new DOMException('no X25519', 'NotSupportedError'));
    const file = await encrypter.encrypt('hello');
    expect(wrapped).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
    expect(await decrypter.decrypt(file, 'text')).toBe('hello');
  },
);

it('refuses a point of small order', async () => {
  const one = new Encrypter();
  one.addRecipient(bech32.encodeFromBytes('age', new Uint8Array(32)));
  await expect(one.encrypt('hello')).rejects.toThrow();
  // An engine of a draft of the standard, which gives the secret.
  vi.spyOn(subtle, 'deriveBits').mockResolvedValueOnce(new ArrayBuffer(32));
  await expect(one.encrypt('hello')).rejects.toThrow();
});

/** Enough of the header of age files for tests: one X25519 recipient (C2SP age, "The X25519 recipient type"), by node:crypto. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { concat } from './bytes.ts';

/** The pair of the specification: 32 bytes of 0x42. */
export const IDENTITY = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX';
export const RECIPIENT = 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj';
const SECRET = new Uint8Array(32).fill(0x42);

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

// X25519 keys as PKCS #8 and SPKI have them: a fixed start, and 32 bytes.
const privateKey = (secret: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), secret]),
    format: 'der',
    type: 'pkcs8',
  });
const publicKey = (raw: Uint8Array): KeyObject =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  });
const publicOf = (secret: Uint8Array): Uint8Array =>
  new Uint8Array(createPublicKey(privateKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-32));

const hkdf = (key: Uint8Array, salt: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, salt, info, 32));

const wrapKey = (shared: Uint8Array, share: Uint8Array): Uint8Array =>
  hkdf(shared, concat(share, publicOf(SECRET)), 'age-encryption.org/v1/X25519');
const headerMac = (fileKey: Uint8Array, header: string): Uint8Array =>
  createHmac('sha256', hkdf(fileKey, new Uint8Array(0), 'header'))
    .update(header, 'latin1')
    .digest();

export const payloadKey = (fileKey: Uint8Array, salt: Uint8Array): Uint8Array => hkdf(fileKey, salt, 'payload');

/** A header for RECIPIENT, and the salt after it; the payload follows under this key. */
export function madeHeader(): { readonly header: Uint8Array; readonly key: Uint8Array } {
  const [fileKey, ephemeral, salt] = [16, 32, 16].map((length) => new Uint8Array(randomBytes(length)));
  const share = publicOf(ephemeral);
  const shared = diffieHellman({ privateKey: privateKey(ephemeral), publicKey: publicKey(publicOf(SECRET)) });
  const cipher = createCipheriv('chacha20-poly1305', wrapKey(shared, share), new Uint8Array(12), { authTagLength: 16 });
  const body = concat(cipher.update(fileKey), cipher.final(), cipher.getAuthTag());
  const header = `age-encryption.org/v1\n-> X25519 ${base64(share)}\n${base64(body)}\n---`;
  const all = `${header} ${base64(headerMac(fileKey, header))}\n`;
  return { header: concat(bytes(all), salt), key: payloadKey(fileKey, salt) };
}

/** The payload of a file for RECIPIENT, and its key. */
export function opened(file: Uint8Array): {
  readonly key: Uint8Array;
  readonly salt: Uint8Array;
  readonly payload: Uint8Array;
} {
  const start = text(file.subarray(0, 1000));
  const parts =
    /^(age-encryption\.org\/v1\n(?:-> .*\n[^-]*\n)*?-> X25519 (.{43})\n(.{43})\n(?:-> .*\n[^-]*\n)*---) (.{43})\n/.exec(
      start,
    );
  if (!parts) throw new Error(`not a header with one X25519 recipient: ${JSON.stringify(start.slice(0, 400))}`);
  const [whole, header, share64, body64, mac] = parts;
  const [share, body] = [share64, body64].map((each) => new Uint8Array(Buffer.from(each, 'base64')));
  const shared = diffieHellman({ privateKey: privateKey(SECRET), publicKey: publicKey(share) });
  const decipher = createDecipheriv('chacha20-poly1305', wrapKey(shared, share), new Uint8Array(12), {
    authTagLength: 16,
  });
  decipher.setAuthTag(body.subarray(16));
  const fileKey = concat(decipher.update(body.subarray(0, 16)), decipher.final());
  if (base64(headerMac(fileKey, header)) !== mac) throw new Error('the MAC of the header is wrong');
  const salt = file.subarray(whole.length, whole.length + 16);
  return { key: payloadKey(fileKey, salt), salt, payload: file.subarray(whole.length + 16) };
}

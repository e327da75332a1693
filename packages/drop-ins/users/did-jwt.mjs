// JSON Web Encryption under a shared key, XC20P.
import { createJWE, decryptJWE, xc20pDirDecrypter, xc20pDirEncrypter } from 'did-jwt';

const key = new Uint8Array(32).fill(1);

const roundTrip = (length) => async () => {
  const message = new Uint8Array(length).fill(7);
  const back = await decryptJWE(await createJWE(message, [xc20pDirEncrypter(key)]), xc20pDirDecrypter(key));
  if (Buffer.compare(message, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a message of 100 bytes': roundTrip(100), 'a message of 256 KiB': roundTrip(256 << 10) };

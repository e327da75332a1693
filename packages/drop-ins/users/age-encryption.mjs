// Files of age, as the README of age-encryption shows.
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);

const roundTrip = (length) => async () => {
  const file = new Uint8Array(length).fill(7);
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const back = await decrypter.decrypt(await encrypter.encrypt(file));
  if (Buffer.compare(file, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a file of 1 KiB': roundTrip(1024), 'a file of 4 MiB': roundTrip(4 << 20) };

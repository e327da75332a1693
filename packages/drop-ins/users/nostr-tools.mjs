// Encrypted direct messages of Nostr (NIP-44), and an encrypted key (NIP-49).
import { getPublicKey, generateSecretKey } from 'nostr-tools/pure';
import * as nip44 from 'nostr-tools/nip44';
import * as nip49 from 'nostr-tools/nip49';

const secret = generateSecretKey();
const key = nip44.getConversationKey(secret, getPublicKey(generateSecretKey()));

const roundTrip = (length) => () => {
  const text = 'x'.repeat(length);
  if (nip44.decrypt(nip44.encrypt(text, key), key) !== text) throw new Error('wrong plaintext');
};

export const cases = {
  'a message of 200 bytes': roundTrip(200),
  'a message of 32 KiB': roundTrip(32 << 10),
  'an encrypted key': () => {
    if (Buffer.compare(nip49.decrypt(nip49.encrypt(secret, 'password', 4), 'password'), secret) !== 0)
      throw new Error('wrong key');
  },
};

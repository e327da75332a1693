/** bcrypto: plain JavaScript, and the only library on npm with Serpent. It works on Node's buffers. */
import { Cipher } from 'bcrypto/lib/js/cipher.js';
import { versionOf } from '../../host.ts';
import type { Contestant, MakeXor } from '../contestants/contestant.ts';

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

export const bcrypto: Contestant & { readonly serpentCtr: MakeXor } = {
  name: 'bcrypto',
  library: 'bcrypto',
  standing: 'rival',
  version: versionOf('bcrypto'),
  serpentCtr: (key, counter) => {
    const [ownKey, first] = [bufferOf(key), bufferOf(counter)];
    return (data) => new Cipher('SERPENT-256-CTR').init(ownKey, first).update(bufferOf(data));
  },
};

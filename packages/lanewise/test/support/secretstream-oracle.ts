/** The model of secretstream with the ciphers of OpenSSL and libsodium. */
import * as oracles from './oracles.ts';
import { SecretstreamModel } from './secretstream-model.ts';

const primitives = {
  hchacha20: oracles.hchacha20,
  chacha20: (key: Uint8Array, nonce: Uint8Array, data: Uint8Array): Uint8Array => oracles.chacha20(key, nonce, data),
  poly1305: oracles.poly1305,
};

export const secretstreamModel = (key: Uint8Array, header: Uint8Array, counter?: number): SecretstreamModel =>
  new SecretstreamModel(primitives, key, header, counter);

// Messages between a wallet and an application.
import { hexToByteArray, SessionCrypto } from '@tonconnect/protocol';

const [wallet, app] = [new SessionCrypto(), new SessionCrypto()];

const roundTrip = (length) => () => {
  const message = 'x'.repeat(length);
  const sealed = app.encrypt(message, hexToByteArray(wallet.sessionId));
  if (wallet.decrypt(sealed, hexToByteArray(app.sessionId)) !== message) throw new Error('wrong plaintext');
};

export const cases = { 'a message of 200 bytes': roundTrip(200), 'a message of 64 KiB': roundTrip(1 << 16) };

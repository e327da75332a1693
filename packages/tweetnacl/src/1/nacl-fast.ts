/** `tweetnacl`, version 1: `secretbox` and the functions built on it are ours, all else is the original's. */
import { secretbox as ours } from 'lanewise/nacl.js';
import theirs from 'tweetnacl-1';
import { isMessage, sizeOf } from '../../../drop-ins/src/message.ts';

/** The original asks for arrays of its own realm. */
const isOurs = (value: unknown, length?: number): boolean =>
  value instanceof Uint8Array && isMessage(value) && (length === undefined || sizeOf(value) === length);

const isPlain = (message: unknown, nonce: unknown, key: unknown): boolean =>
  isOurs(message) && isOurs(nonce, theirs.secretbox.nonceLength) && isOurs(key, theirs.secretbox.keyLength);

const open: typeof theirs.secretbox.open = (box, nonce, key) =>
  isPlain(box, nonce, key) ? ours.open(box, nonce, key) : theirs.secretbox.open(box, nonce, key);

const secretbox: typeof theirs.secretbox = Object.assign(
  (message: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array =>
    isPlain(message, nonce, key) ? ours(message, nonce, key) : theirs.secretbox(message, nonce, key),
  theirs.secretbox,
  { open },
);

const box: typeof theirs.box = Object.assign(
  (message: Uint8Array, nonce: Uint8Array, publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array =>
    secretbox(message, nonce, theirs.box.before(publicKey, secretKey)),
  theirs.box,
  {
    after: secretbox,
    open: Object.assign(
      (message: Uint8Array, nonce: Uint8Array, publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array | null =>
        open(message, nonce, theirs.box.before(publicKey, secretKey)),
      { after: open },
    ),
  },
);

export default { ...theirs, secretbox, box };

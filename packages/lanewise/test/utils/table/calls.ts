/** Calls of `lanewise/utils.js`, and of the objects that `managedNonce` makes. */
import { concat } from '../../support/bytes.ts';
import { xchacha20poly1305 } from '../../../src/chacha.ts';
import * as utils from '../../../src/utils.ts';
import { bytes, fn, key, methods, nonces, text, toolsOf, withoutNonce, type Call } from '../../support/call.ts';

const usedAsCallback = 'functions of one value are given to map() and filter(), which add an index and a list';

const boxed = concat(nonces[24], xchacha20poly1305(key, nonces[24], text).encrypt(text));

export const calls: Readonly<Record<string, Call>> = {
  ...toolsOf('utils'),
  ...methods('managedNonce()()', () => withoutNonce(key, text), {
    encrypt: [text, bytes(88)],
    decrypt: [boxed, bytes(48)],
  }),
  'utils.equalBytes': fn(utils.equalBytes, key, key),
  'utils.clean': { ...fn(utils.clean, bytes(3)), passed: 'it takes any number of arguments' },
  'utils.bytesToHex': { ...fn(utils.bytesToHex, key), passed: usedAsCallback },
  'utils.hexToBytes': { ...fn(utils.hexToBytes, 'cafe'), passed: usedAsCallback },
  'utils.isBytes': { ...fn(utils.isBytes, key), passed: usedAsCallback },
};

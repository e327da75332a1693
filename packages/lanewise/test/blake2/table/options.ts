/** Calls of `lanewise/blake2.js` that take options. */
import { blake2b, blake2s, type Blake2Function } from '../../../src/blake2.ts';
import { key, message, type OptionsCall } from '../../support/options-call.ts';

const callsOf = (name: string, hash: Blake2Function): readonly OptionsCall[] => {
  const salt = key.slice(0, hash.outputLen / 4);
  const its = {
    name: 'options',
    all: { dkLen: 16, key, salt, personalization: salt },
    required: {},
    others: { personal: 'it is personalization here' },
  };
  return [
    { ...its, title: `blake2.${name}`, use: (options) => hash(message, options) },
    { ...its, title: `blake2.${name}.create`, use: (options) => hash.create(options).update(message).digest() },
  ];
};

export const optionsCalls: readonly OptionsCall[] = [...callsOf('blake2b', blake2b), ...callsOf('blake2s', blake2s)];

/** Calls of `lanewise/random.js`, by `door.name` or `Type.method`. */
import * as random from '../../../src/random.ts';
import { bytes, fn, key, methods, of, toolsOf, type Call } from '../../support/call.ts';

export const calls: Readonly<Record<string, Call>> = {
  'random.chacha8rand': fn(random.chacha8rand, key),
  'random.chacha8rand.load': of(() => random.chacha8rand, 'load', random.chacha8rand(key).save()),
  ...methods('ChaCha8Rand', () => random.chacha8rand(key), {
    bytes: [bytes(3)],
    uint32: [],
    uint64: [],
    float: [],
    below: [6],
    shuffle: [bytes(3)],
    save: [],
    destroy: [],
  }),
  'random.randomBytes': toolsOf('random')['random.randomBytes'],
};

/** AES beside Salsa20. */
import { engineBars } from '../forms.ts';
import { newest } from '../newest.ts';
import { bytesText, megabytes, rangeText, timesText } from '../numbers.ts';
import { given, listed, Said, say, table } from '../prose.ts';
import { AES, called, CIPHERS, SALSA, type Question } from './cases.ts';
import { leastAhead, lengthContest, LENGTHS } from './lengths.ts';

const LONG = lengthContest(65536);
const SHORT = lengthContest(64);

export const aes: Question = (data, shown) => {
  const all = data.engines(...LENGTHS.map(lengthContest));
  const engines = newest(all);
  /** AES that comes with the engine, the faster one where there are two. */
  const platformAes = (id: string): string | undefined =>
    AES.slice(0, 2)
      .filter((name) => data.speed(id, LONG, name) !== undefined)
      .sort((a, b) => (data.speed(id, LONG, b) ?? 0) - (data.speed(id, LONG, a) ?? 0))[0];
  const ahead = engines.flatMap(({ id, name }) => {
    const best = platformAes(id);
    if (best === undefined) return [];
    const least = leastAhead(data, id, best);
    return least === undefined
      ? [say`at no length up to ${given('64 KiB', 'the longest of the contests')} in ${new Said(name)}`]
      : [say`from ${bytesText(least)} in ${new Said(name)}`];
  });
  const short = newest(data.engines(SHORT)).map(({ id }) => {
    const best = platformAes(id);
    return best === undefined ? undefined : data.faster(id, SHORT, SALSA, best);
  });
  return {
    figures: { 'aes-ahead': listed(ahead), 'over-platform-aes': rangeText(short, timesText) },
    parts: {
      'aes-picture': shown(
        'aes',
        'MB/s of Salsa20, ChaCha20 and AES-256-CTR with 64 KiB in each engine',
        engineBars(
          engines,
          {
            title: 'Salsa20, ChaCha20 and AES-256-CTR, 64 KiB: MB/s',
            description: 'For each engine a dot for each cipher and library, on a logarithmic scale.',
            series: CIPHERS.map(called),
            axis: 'MB/s',
            logarithmic: true,
          },
          (id) => CIPHERS.map((cipher) => data.speed(id, LONG, cipher)),
        ),
      ),
      'aes-table': table(
        ['message', 'engine', ...CIPHERS.map((cipher) => new Said(`${called(cipher)}, MB/s`))],
        [64, 4096, 65536].flatMap((length) =>
          all.map(({ id, name }) => [
            bytesText(length),
            new Said(name),
            ...CIPHERS.map((cipher) => megabytes(data.speed(id, lengthContest(length), cipher))),
          ]),
        ),
        2,
      ),
    },
  };
};

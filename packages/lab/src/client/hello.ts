/** The first message: the host of this session, and the versions that it measures. */
import { versions } from '#packages';
import { hex } from './bytes.ts';
import { PROTOCOL, type HelloMessage, type TimerDescription } from './messages.ts';
import { family, features, place, runtimeVersions, userAgent } from './place.ts';
import { kernelForms } from './rooms.ts';
import type { Yardstick } from './yardstick.ts';

/** Every module that the library assembles here, with the digest of its bytes. */
async function modules(): Promise<HelloMessage['modules']> {
  const [ourForms, { nobleSha256 }] = await Promise.all([kernelForms(), import('./contestants/noble.ts')]);
  const builders = new Map(ourForms.map(({ moduleName, module }) => [moduleName, module]));
  return Array.from(builders, ([name, module]) => {
    const bytes = module().bytes();
    return { name, bytes: bytes.length, sha256: hex(nobleSha256.hash(bytes)) };
  });
}

function notes(timer: TimerDescription, language: Yardstick['language']): string[] {
  const milliseconds = timer.stepMilliseconds.toPrecision(2);
  return [
    ...(timer.coarse
      ? [
          `The clock has steps of ${milliseconds} ms: batches are ${timer.batchMilliseconds.toFixed(0)} ms long, there are ` +
            `fewer contests and fewer samples. In a page, the headers COOP and COEP give a finer clock.`,
        ]
      : []),
    ...(language === 'js'
      ? [
          'There is no WebAssembly for the yardstick: cycles are estimated by JavaScript, if its rotation is one instruction.',
        ]
      : []),
  ];
}

export async function hello(startedAt: string, timer: TimerDescription, yardstick: Yardstick): Promise<HelloMessage> {
  const { lanewiseEngines } = await import('./contestants/lanewise.ts');
  return {
    type: 'hello',
    protocol: PROTOCOL,
    startedAt,
    place: place(),
    family: family(),
    userAgent: userAgent(),
    versions: { ...runtimeVersions(), ...versions() },
    timer,
    features: features(),
    refused: Object.fromEntries(
      lanewiseEngines.flatMap(({ engine, unavailable }) =>
        engine && unavailable !== undefined ? [[engine, unavailable]] : [],
      ),
    ),
    modules: await modules(),
    notes: notes(timer, yardstick.language),
  };
}

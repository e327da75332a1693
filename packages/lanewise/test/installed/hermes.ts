/** The installed library in Hermes, the engine of React Native: bundled by Metro, for targets of 2023, which know no `exports`. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderOf, type Package } from '../../../runtimes/src/fetched.ts';
import { copyInstalled } from './package.ts';

/** Those of React Native 0.73. */
export const METRO: Package = {
  spec: 'metro@0.80.8',
  beside: ['@babel/core@7.29.0', '@react-native/babel-preset@0.73.21', '@react-native/metro-babel-transformer@0.73.15'],
  program: 'node_modules/metro/src/cli.js',
};
/** The last version that was published with an interpreter for other hosts than phones. */
export const HERMES: Package = {
  spec: 'hermes-engine-cli@0.12.0',
  program: `node_modules/hermes-engine-cli/${{ darwin: 'osx', win32: 'win64' }[process.platform as string] ?? 'linux64'}-bin/hermes`,
};

interface Setting {
  /** The syntax that Babel leaves to the engine. `default` leaves the least: it makes `Math.pow` of `**`, which throws for a bigint. */
  readonly profile: 'default' | 'hermes-stable';
  /** Whether Metro reads the `exports` of packages, as it does by default since React Native 0.79. */
  readonly exports: boolean;
}

export const SETTINGS: Readonly<Record<string, Setting>> = {
  hermes: { profile: 'default', exports: false },
  'hermes-exports': { profile: 'hermes-stable', exports: true },
};

const SOURCES = join(import.meta.dirname, 'app/react-native');
const VECTORS = join(import.meta.dirname, '../../../../vectors');

/** The files of the vectors, and how many of their tests, which an interpreter has time for. */
const EXAMPLES: Readonly<Record<string, { readonly every?: number; readonly where?: (test: never) => boolean }>> = {
  rfc8439: {},
  'xchacha-draft': {},
  'salsa-nacl': {},
  blake3: { every: 3 },
  disk: { every: 20, where: ({ ciphertext }: { ciphertext?: string }) => ciphertext !== undefined },
  'serpent-nessie': { every: 40 },
  'chacha20-poly1305-siv-c2sp': {},
  'chacha8rand-c2sp': {},
  rfc7914: { where: ({ N = 2 ** 20, P }: { N?: number; P?: string }) => P !== undefined && N <= 1024 },
  'stream-secretstream-pynacl': {},
  'stream-age': { where: ({ payload }: { payload?: string }) => payload !== undefined },
};

interface File {
  readonly tests?: readonly object[];
  readonly plaintexts?: readonly string[];
}

async function examples(): Promise<object> {
  const files = Object.entries(EXAMPLES).map(async ([name, { every = 1, where = () => true }]) => {
    const file = JSON.parse(await readFile(join(VECTORS, `${name}.json`), 'utf8')) as File;
    const chosen = file.tests?.filter((test) => where(test as never)).filter((_, i) => i % every === 0);
    // Hermes has no decoder of base64.
    const tests = chosen?.map((test) => {
      const place = (test as { plaintext?: number }).plaintext;
      if (!file.plaintexts || place === undefined) return test;
      return { ...test, plaintext: Buffer.from(file.plaintexts[place], 'base64').toString('hex') };
    });
    return [name, { ...file, plaintexts: undefined, tests }] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

/** The fields and conditions are React Native's. */
const configuration = ({ exports }: Setting): string => `
const modules = require('node:path').join(__dirname, '../node_modules');
module.exports = {
  cacheStores: [],
  maxWorkers: 1,
  watchFolders: [modules],
  resolver: {
    nodeModulesPaths: [modules],
    resolverMainFields: ['react-native', 'browser', 'main'],
    unstable_conditionNames: ['require', 'react-native'],
    unstable_enablePackageExports: ${exports},
    useWatchman: false,
  },
  transformer: { babelTransformerPath: require.resolve('./transformer.js') },
  serializer: { getPolyfills: () => [], getModulesRunBeforeMainModule: () => [] },
};
`;
const transformer = ({ profile }: Setting): string => `
const { transform } = require('@react-native/metro-babel-transformer');
exports.transform = (its) => transform({ ...its, options: { ...its.options, unstable_transformProfile: '${profile}' } });
`;

interface Place {
  /** Programs. */
  readonly metro: string;
  readonly hermes: string;
  /** The folder with the installed library. */
  readonly installed: string;
  readonly setting: Setting;
}

/** Rejects if Metro does not make a bundle, or if an answer is wrong; otherwise the report of the program. */
export async function knownAnswersInHermes({ metro, hermes, installed, setting }: Place): Promise<string> {
  const folder = await mkdtemp(join(folderOf(METRO), 'app-'));
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const options = { cwd: folder, timeout: 300_000, maxBuffer: 2 ** 26 };
    const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
      const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
      throw new Error(`${message.split('\n')[0]}\n${stdout}${stderr}`.slice(0, 4000), { cause: error });
    });
    return stdout.trim();
  };
  try {
    await cp(SOURCES, folder, { recursive: true });
    await writeFile(join(folder, 'vectors.json'), JSON.stringify(await examples()));
    await writeFile(join(folder, 'metro.config.js'), configuration(setting));
    await writeFile(join(folder, 'transformer.js'), transformer(setting));
    await writeFile(join(folder, 'package.json'), '{ "private": true, "name": "app" }');
    copyInstalled(installed, folder);
    await run(process.execPath, [metro, 'build', 'main.js', '--config', 'metro.config.js', '--out', 'out.js']);
    return await run(hermes, ['out.js']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

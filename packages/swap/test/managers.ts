/** The package managers that the test runs, fetched once into a cache, each with folders of its own for all that it keeps. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BUN, DENO, fetched, type Package } from '../../runtimes/src/fetched.ts';
import type { ManagerName } from '../src/project.ts';

export interface Manager {
  readonly title: string;
  readonly name: ManagerName;
  readonly program: Package;
  /** Whether Node runs the program. */
  readonly isScript: boolean;
  readonly install: readonly string[];
  /** Installs from the lockfile, or fails. */
  readonly frozen: readonly string[];
  /** How a program of the project is run. */
  readonly run: readonly string[];
  readonly lockfile: string;
  /** Files that the manager needs in a project. */
  readonly files?: Readonly<Record<string, string>>;
}

const script = (spec: string, program: string): { program: Package; isScript: true } => ({
  program: { spec, program: `node_modules/${program}` },
  isScript: true,
});

const npm = (version: string): Manager => ({
  ...{ title: `npm ${version}`, name: 'npm', ...script(`npm@${version}`, 'npm/bin/npm-cli.js') },
  ...{ install: ['install', '--no-audit', '--no-fund'], frozen: ['ci', '--no-audit', '--no-fund'] },
  ...{ run: ['node'], lockfile: 'package-lock.json' },
});
const pnpm = (version: string, program: string): Manager => ({
  ...{ title: `pnpm ${version}`, name: 'pnpm', ...script(`pnpm@${version}`, `pnpm/bin/${program}`) },
  ...{ install: ['install', '--no-frozen-lockfile'], frozen: ['install', '--frozen-lockfile'] },
  ...{ run: ['node'], lockfile: 'pnpm-lock.yaml' },
  files: { 'pnpm-workspace.yaml': 'packages:\n  # ours\n  - packages/*\n' },
});
const yarn4 = (linker: string): Manager => ({
  ...{ title: `Yarn 4.18.1, ${linker}`, name: 'yarn' },
  ...script('@yarnpkg/cli-dist@4.18.1', '@yarnpkg/cli-dist/bin/yarn.js'),
  ...{ install: ['install', '--no-immutable'], frozen: ['install', '--immutable'] },
  ...{ run: ['yarn', 'node'], lockfile: 'yarn.lock' },
  files: { '.yarnrc.yml': `nodeLinker: ${linker}\nenableTelemetry: false\n`, 'yarn.lock': '' },
});

export const managers: readonly Manager[] = [
  npm('10.9.9'),
  npm('11.19.1'),
  npm('12.2.0'),
  pnpm('10.34.9', 'pnpm.cjs'),
  pnpm('11.28.10', 'pnpm.mjs'),
  pnpm('12.21.0', 'pnpm.mjs'),
  {
    ...{ title: 'Yarn 1.22.22', name: 'yarn', ...script('yarn@1.22.22', 'yarn/bin/yarn.js') },
    ...{
      install: ['install', '--non-interactive'],
      frozen: ['install', '--frozen-lockfile'],
      run: ['node'],
      lockfile: 'yarn.lock',
    },
  },
  yarn4('pnp'),
  yarn4('node-modules'),
  {
    ...{ title: 'Bun 1.4.5', name: 'bun', program: BUN, isScript: false },
    ...{ install: ['install'], frozen: ['install', '--frozen-lockfile'], run: ['bun', 'run'], lockfile: 'bun.lock' },
  },
  {
    ...{ title: 'Deno 2.9.6', name: 'deno', program: DENO, isScript: false },
    ...{
      install: ['install'],
      frozen: ['install', '--frozen'],
      run: ['deno', 'run', '--allow-all', '--quiet'],
      lockfile: 'deno.lock',
    },
  },
];

/** The environment in which a manager is found by its name, asks the registry, and keeps everything in the folder. */
export async function environmentOf(manager: Manager, folder: string, registry: string): Promise<NodeJS.ProcessEnv> {
  const path = await fetched(manager.program);
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const command = manager.isScript ? `'${process.execPath}' '${path}'` : `'${path}'`;
  writeFileSync(join(bin, manager.name), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(bin, manager.name), 0o755);
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^yarn_|^pnpm_|^bun_|^deno_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...{ PATH: `${bin}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', HOME: join(folder, 'home'), CI: '' },
    ...{ npm_config_registry: registry, npm_config_cache: join(folder, 'npm'), npm_config_update_notifier: 'false' },
    ...{
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
    },
    ...{ YARN_REGISTRY: registry, YARN_CACHE_FOLDER: join(folder, 'yarn-cache'), XDG_DATA_HOME: join(folder, 'data') },
    ...{
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
    ...{ BUN_INSTALL_CACHE_DIR: join(folder, 'bun'), DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' },
  };
}

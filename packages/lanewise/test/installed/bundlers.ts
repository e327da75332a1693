/** The bundlers, and the result of each for a pool: by default, and in the ways of the guide docs/guide/many-cores.md. */
import type { Package } from '../../../runtimes/src/fetched.ts';
import type { Expected } from './results.ts';

export const VITE: Package = { spec: 'vite@8.3.8', program: 'node_modules/vite/bin/vite.js' };
export const VITE_7: Package = { spec: 'vite@7.3.8', program: 'node_modules/vite/bin/vite.js' };
export const WEBPACK: Package = {
  spec: 'webpack@5.112.2',
  beside: ['webpack-cli@7.3.1'],
  program: 'node_modules/webpack-cli/bin/cli.js',
};
export const ROLLUP: Package = {
  spec: 'rollup@4.68.7',
  beside: ['@rollup/plugin-node-resolve@16.0.3'],
  program: 'node_modules/rollup/dist/bin/rollup',
};
export const PARCEL: Package = { spec: 'parcel@2.16.4', program: 'node_modules/parcel/lib/bin.js' };
export const NEXT: Package = {
  spec: 'next@16.4.6',
  beside: ['react@19.3.1', 'react-dom@19.3.1'],
  program: 'node_modules/next/dist/bin/next',
};
/** That of the workspace. */
export const ESBUILD = 'esbuild';

export interface Build {
  readonly name: string;
  readonly bundler: Package | typeof ESBUILD;
  /** Files of the application that are blocks of the guide, with the names of these. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arguments of the bundler; a string is the name of a block of the guide, which is a command with them. */
  readonly build?: readonly string[] | string;
  /** Arguments of the bundler that make it serve the pages on the port that takes the place of PORT; without them: the folder `dist`. */
  readonly serve?: readonly string[];
  /** The file of the worker is copied beside the bundle as it is. */
  readonly copiesWorker?: boolean;
  /** Headers of all answers, where the folder `dist` is served. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the page gets workers, or the reason why it does not. */
  readonly page: Expected;
  /** The same for pages that the server makes, with a pool of its own. */
  readonly server?: Expected;
  /** Applications that import from the root and from a subpath are compared. */
  readonly compared?: boolean;
  /** It is opened in all browsers, not in Chromium only. */
  readonly everywhere?: boolean;
}

/** The reason in a browser, and in Node. */
const NOT_FOUND = /its file is not there|Cannot find module/;

const SPAWN = { 'pool.js': 'pool.js', 'lanewise-worker.js': 'lanewise-worker.js' } as const;
const vite = { bundler: VITE, build: ['build', '--logLevel', 'warn'], page: 'workers' } as const;
const development = ['dev', '--host', '127.0.0.1', '--strictPort', '--logLevel', 'error', '--port', 'PORT'] as const;
const webpack = {
  bundler: WEBPACK,
  build: ['--entry', './main.js', '--output-path', 'dist', '--output-filename', 'main.js', '--mode', 'production'],
  page: 'workers',
} as const;
const rollup = ['--dir', 'dist', '--format', 'es', '--plugin', 'node-resolve', '--silent'] as const;
const parcel = { bundler: PARCEL, build: ['build', 'index.html', '--log-level', 'warn'], page: 'workers' } as const;
const next = { bundler: NEXT, serve: ['start', '--hostname', '127.0.0.1', '--port', 'PORT'], page: 'workers' } as const;

export const builds: readonly Build[] = [
  { ...vite, name: 'Vite, build', everywhere: true, compared: true },
  { ...vite, name: 'Vite, build, spawn', files: SPAWN },
  { name: 'Vite, server', bundler: VITE, serve: development, page: 'workers' },
  { ...vite, name: 'Vite 7, build', bundler: VITE_7 },
  { name: 'Vite 7, server', bundler: VITE_7, serve: development, page: NOT_FOUND },
  {
    name: 'Vite 7, server, left out',
    bundler: VITE_7,
    files: { 'vite.config.js': 'vite.config.js' },
    serve: development,
    page: 'workers',
  },
  { ...webpack, name: 'webpack', compared: true },
  { ...webpack, name: 'webpack, spawn', files: SPAWN },
  { name: 'Rollup', bundler: ROLLUP, build: ['main.js', ...rollup], page: NOT_FOUND, compared: true },
  {
    name: 'Rollup, entry',
    bundler: ROLLUP,
    files: { 'rollup.config.js': 'rollup.config.js' },
    build: ['--config', '--silent'],
    page: 'workers',
  },
  {
    name: 'Rollup, spawn',
    bundler: ROLLUP,
    files: SPAWN,
    build: ['main.js', 'lanewise-worker.js', ...rollup],
    page: 'workers',
  },
  {
    name: 'esbuild',
    bundler: ESBUILD,
    compared: true,
    build: ['main.js', '--bundle', '--format=esm', '--outdir=dist', '--log-level=warning'],
    page: NOT_FOUND,
  },
  {
    name: 'esbuild, copied worker',
    bundler: ESBUILD,
    build: ['main.js', '--bundle', '--format=esm', '--outdir=dist', '--log-level=warning'],
    copiesWorker: true,
    page: 'workers',
  },
  { name: 'esbuild, entry', bundler: ESBUILD, build: 'esbuild', page: 'workers' },
  { name: 'esbuild, spawn', bundler: ESBUILD, files: SPAWN, build: 'esbuild with spawn', page: 'workers' },
  { ...parcel, name: 'Parcel, build', compared: true },
  { ...parcel, name: 'Parcel, build, spawn', files: SPAWN },
  {
    name: 'Parcel, server',
    bundler: PARCEL,
    serve: ['serve', 'index.html', '--host', '127.0.0.1', '--log-level', 'warn', '--no-hmr', '--port', 'PORT'],
    page: 'workers',
  },
  { ...next, name: 'Next.js, Turbopack', build: ['build', '--turbopack'], server: 'workers' },
  { ...next, name: 'Next.js, webpack', build: ['build', '--webpack'], server: NOT_FOUND },
  {
    ...next,
    name: 'Next.js, webpack, external',
    files: { 'next.config.mjs': 'next.config.mjs' },
    build: ['build', '--webpack'],
    server: 'workers',
  },
];

/** A name that a subpath and the root export. */
export const comparisons = [
  { name: 'xchacha20poly1305', door: 'chacha' },
  { name: 'blake3', door: 'blake3' },
] as const;
/** By so many bytes an application may be larger, minified and gzipped, if it imports from the root. */
export const MOST_FOR_ROOT = 50;

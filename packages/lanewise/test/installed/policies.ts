/** Policies of pages, and the behaviour of a pool under each. */
import { ESBUILD, type Build } from './bundlers.ts';
import type { Expected } from './results.ts';

export interface Policy extends Build {
  /** The engine of the library in the page. */
  readonly engine: 'simd' | 'js';
  readonly isolated?: boolean;
  /** The page is of another origin than its scripts. */
  readonly elsewhere?: boolean;
}

const SELF = "default-src 'none'; script-src 'self'";
const WASM = `${SELF} 'wasm-unsafe-eval'`;
const TRUSTED = "require-trusted-types-for 'script'";

/** The reporter's origin takes the place of REPORTER. */
const policy = (
  name: string,
  directives: readonly string[],
  page: Expected,
  more: Partial<Policy> & Pick<Policy, 'engine'>,
): Policy => ({
  name,
  bundler: ESBUILD,
  build: 'esbuild',
  page,
  ...more,
  headers: {
    ...(directives.length > 0 && {
      'content-security-policy': [...directives, 'connect-src REPORTER', 'img-src data:'].join('; '),
    }),
    ...more.headers,
  },
});

const FORBIDDEN = /a policy of the page forbids it|insecure/;
const NOT_ITS_OWN = /cannot be accessed|its file is not there|insecure/;

export const policies: readonly Policy[] = [
  policy('only its own scripts', [SELF], 'workers', { engine: 'js' }),
  policy('only its own scripts, no workers', [SELF, "worker-src 'none'"], FORBIDDEN, { engine: 'js' }),
  policy('WebAssembly too', [WASM], 'workers', { engine: 'simd' }),
  policy('WebAssembly too, no workers', [WASM, "worker-src 'none'"], FORBIDDEN, { engine: 'simd' }),
  policy('Trusted Types', [WASM, TRUSTED], /TrustedScriptURL|Sink type mismatch/, { engine: 'simd' }),
  policy('Trusted Types, spawn', [WASM, TRUSTED, 'trusted-types workers'], 'workers', {
    engine: 'simd',
    files: { 'pool.js': 'pool.js under Trusted Types' },
  }),
  policy('isolated', [], 'workers', {
    engine: 'simd',
    isolated: true,
    headers: {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    },
  }),
  policy('sandboxed', ['sandbox allow-scripts'], NOT_ITS_OWN, {
    engine: 'simd',
    headers: { 'access-control-allow-origin': '*' },
  }),
  policy('scripts of another origin', [], NOT_ITS_OWN, { engine: 'simd', elsewhere: true }),
  policy('scripts of another origin, spawn', [], 'workers', {
    engine: 'simd',
    elsewhere: true,
    files: { 'pool.js': 'pool.js from another origin' },
  }),
];

import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { rooms } from './eslint.rooms.ts';

/** Globals for scripts without types; TypeScript knows the globals of the others. */
const globals =
  'AbortSignal Blob Buffer ReadableStream Response TextDecoder TextEncoder URL WebAssembly console crypto fetch performance process setTimeout'.split(
    ' ',
  );
/** The same for examples, which run in pages and workers, too. */
const pageGlobals =
  'AbortController Headers MessageChannel ReadableStream Request document location navigator self AbortSignal ReadableStream SharedArrayBuffer URLSearchParams Worker'.split(
    ' ',
  );

/** The programs that hold the files: all packages are one. A service of projects would make one for each, with the library in all. */
const projects = ['.', 'site', 'site/app', 'site/app/workers'].map((folder) => `${folder}/tsconfig.json`);

export default defineConfig(
  globalIgnores(['release/', '**/dist/', '**/generated/', '**/.cache/']),
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: projects, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Word machines speak in numbers: `offset ${n}` is clear.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Array reads are not checked for undefined (tsconfig.base.json), so `!` is only ever a stated invariant.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Callers without TypeScript reach the run-time checks of arguments whose types say they cannot fail.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // A type parameter used once still ties an expression to its wasm type.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A static method that does not use `this` says so, and can be passed on.
      '@typescript-eslint/no-invalid-void-type': ['error', { allowAsThisParameter: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['packages/lanewise/src/**'],
    rules: {
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-implied-eval': 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['packages/lanewise/src/**', 'packages/native/src/**', 'packages/sqlite/src/**'],
    // Calls refuse surplus `arguments` (`refuseSurplus`). A rest parameter would be in their types, and is an array to make for each.
    rules: { 'prefer-rest-params': 'off' },
  },
  {
    // A quarter round reads as the RFC draws it, several steps on a line, joined by commas.
    files: ['packages/lanewise/src/*/{rounds,boxes,circuit,core,square}.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
    },
  },
  ...rooms,
  // A file that is longer holds two things. Generated text is not linted.
  { files: ['**/*.{ts,js,mjs}'], rules: { 'max-lines': ['error', 400] } },
  { files: ['packages/lanewise/src/**'], rules: { 'max-lines': ['error', 300] } },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: Object.fromEntries(globals.map((name) => [name, 'readonly'])) },
  },
  {
    files: ['examples/**/*.js', 'packages/lanewise/test/installed/app/**/*.js'],
    languageOptions: { globals: Object.fromEntries(pageGlobals.map((name) => [name, 'readonly'])) },
  },
);

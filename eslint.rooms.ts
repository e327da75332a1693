/**
 * Which file of the library may import which (ARCHITECTURE.md): the name of a file says it. `src/` holds doors, and a room
 * for each primitive; `words/`, `wasm/`, `calls/`, `engine/` and `js/` serve all rooms.
 */
import type { Linter } from 'eslint';

/** File names, without `.ts`, of everything that emits code: it runs in the build, on no secret. */
const KERNELS = '(?:[\\w-]+-)?(?:kernel|lanes|rows|module|floats)';
const ROUNDS = '(?:rounds|boxes|circuit|core)';
const BINDINGS = '(?:[\\w-]+-)?binding';
/** Every room but those that serve all others. */
const ROOM = '(?!words/|wasm/|calls/|engine/|js/|rooms/)[\\w-]+';
const MAP = 'map';

const own = (names: string): string => `\\./${names}\\.ts`;
const anywhere = (names: string): string => `(?:\\.|\\.\\./${ROOM})/${names}\\.ts`;

/** What callers use may import these. */
const CALLERS = [
  own(`(?!(?:${KERNELS}|generated-bytes)\\.ts)[\\w-]+`),
  '\\.\\./keystream/(?:map|cipher|input|subkey)\\.ts',
  '\\.\\./calls/[\\w-]+\\.ts',
  '\\.\\./engine/(?:instance|intrinsics|detect)\\.ts',
  '\\.\\./(?:[\\w-]+)\\.ts',
];

/** A kind of file, and the imports that it may have. */
interface Kind {
  readonly name: string;
  readonly files: readonly string[];
  readonly except?: readonly string[];
  /** Regular expressions of module specifiers. */
  readonly imports: readonly string[];
  /** Where types may come from beside. */
  readonly types?: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    name: 'a memory map',
    files: ['*/map.ts'],
    imports: [anywhere(MAP), own('rounds')],
  },
  {
    name: 'rounds',
    files: ['*/{rounds,boxes,circuit,core}.ts'],
    imports: ['\\.\\./words/[\\w-]+\\.ts', own(ROUNDS), '\\.\\./keystream/core\\.ts'],
  },
  {
    name: 'what emits code',
    files: ['*/{kernel,lanes,rows,module,floats}.ts', '*/*-{kernel,lanes,rows,module,floats}.ts'],
    except: ['{words,wasm,calls,engine}/*.ts'],
    imports: [
      anywhere(MAP),
      anywhere(ROUNDS),
      anywhere(KERNELS),
      '\\.\\./words/[\\w-]+\\.ts',
      '\\.\\./wasm/[\\w-]+\\.ts',
    ],
  },
  {
    name: 'a binding',
    files: ['*/binding.ts', '*/*-binding.ts'],
    imports: [
      own(`(?!${KERNELS}\\.ts)[\\w-]+`),
      anywhere(MAP),
      // A cipher that is made of another room's kernel borrows that.
      anywhere(BINDINGS),
      '\\.\\./keystream/[\\w-]+\\.ts',
      '\\.\\./engine/[\\w-]+\\.ts',
      '\\.\\./calls/[\\w-]+\\.ts',
      '\\.\\./js/generated/[\\w-]+\\.ts',
    ],
    types: [own('(?:[\\w-]+-)?module')],
  },
  {
    name: 'what callers use',
    files: ['*/*.ts'],
    except: [
      '*/{map,rounds,boxes,circuit,core,kernel,lanes,rows,module,floats,binding,room}.ts',
      '*/*-{kernel,lanes,rows,module,floats,binding}.ts',
      '{words,wasm,calls,engine}/*.ts',
    ],
    imports: CALLERS,
    types: [own('(?:[\\w-]+-)?module')],
  },
  {
    name: 'of a pool',
    files: ['pool/*.ts'],
    except: ['pool/room.ts'],
    imports: [...CALLERS, '\\.\\./[\\w-]+/jobs\\.ts', '\\.\\./stream/(?:source|random-access)\\.ts'],
  },
  {
    name: 'about Node',
    files: ['stream/node.ts', 'stream/node-{file,drafts}.ts'],
    imports: [...CALLERS, 'node:[\\w/]+'],
  },
  {
    name: 'a door',
    files: ['*.ts'],
    except: ['index.ts'],
    imports: [
      `\\./${ROOM}/(?!(?:${MAP}|${ROUNDS}|${KERNELS}|${BINDINGS}|room|generated-bytes)\\.ts)[\\w-]+\\.ts`,
      '\\./calls/[\\w-]+\\.ts',
      '\\./engine/detect\\.ts',
    ],
  },
  { name: 'the root', files: ['index.ts'], imports: [own('[\\w-]+')] },
  {
    name: 'the description of a room',
    files: ['*/room.ts'],
    imports: [anywhere(MAP), anywhere(KERNELS), anywhere('room'), '\\.\\./rooms/room\\.ts', '\\.\\./wasm/module\\.ts'],
  },
  { name: 'the assembler', files: ['wasm/*.ts'], imports: [own('[\\w-]+')] },
  { name: 'the words of rounds', files: ['words/*.ts'], imports: [own('[\\w-]+'), '\\.\\./wasm/[\\w-]+\\.ts'] },
  {
    name: 'the engine',
    files: ['engine/*.ts'],
    except: ['engine/{probe,unpacker}-module*.ts'],
    imports: [own('(?!(?:probe-modules|unpacker-module)\\.ts)[\\w-]+')],
  },
  {
    name: 'the modules that are no kernels',
    files: ['engine/{probe,unpacker}-module*.ts'],
    imports: ['\\.\\./wasm/[\\w-]+\\.ts'],
  },
  {
    name: 'what all calls share',
    files: ['calls/*.ts'],
    imports: [own('[\\w-]+'), '\\.\\./engine/[\\w-]+\\.ts'],
  },
];

const source = (glob: string): string => `packages/lanewise/src/${glob}`;
const noneOf = (allowed: readonly string[]): string => `^(?!(?:${allowed.join('|')})$)`;

export const rooms: Linter.Config[] = kinds.map(({ name, files, except = [], imports, types = [] }) => ({
  files: files.map(source),
  ignores: except.map(source),
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: noneOf([...imports, ...types]),
            message: `A file that is ${name} must not import this: ARCHITECTURE.md.`,
          },
          ...types.map((regex) => ({
            regex: `^${regex}$`,
            allowTypeImports: true,
            message: `A file that is ${name} may import types only from there: ARCHITECTURE.md.`,
          })),
        ],
      },
    ],
  },
}));

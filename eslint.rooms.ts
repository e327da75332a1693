/**
 * Which file of the library may import which (ARCHITECTURE.md): the name of a file says it. `src/` holds doors, and a room
 * for each primitive; `words/`, `wasm/`, `calls/`, `work/`, `io/`, `engine/` and `js/` serve all rooms. No imports form a circle, neither
 * of files nor of rooms.
 */
import type { ESLint, Linter, Rule } from 'eslint';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import ts from 'typescript';

/** File names, without `.ts`, of everything that emits code: it runs in the build, on no secret. */
const KERNELS = '(?:[\\w-]+-)?(?:kernel|lanes|rows|module|floats)';
const ROUNDS = '(?:rounds|boxes|circuit|core)';
const BINDINGS = '(?:[\\w-]+-)?binding';
/** Every room but those that serve all others. */
const ROOM = '(?!words/|wasm/|calls/|io/|work/|engine/|js/)[\\w-]+';
const MAP = 'map';

const own = (names: string): string => `\\./${names}\\.ts`;
const anywhere = (names: string): string => `(?:\\.|\\.\\./${ROOM})/${names}\\.ts`;

/** Files that callers use may import these. */
const CALLERS = [
  own(`(?!(?:${KERNELS}|generated-bytes)\\.ts)[\\w-]+`),
  '\\.\\./keystream/(?:map|cipher|input|subkey)\\.ts',
  '\\.\\./(?:calls|work|io)/[\\w-]+\\.ts',
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
    except: ['{words,wasm,calls,io,work,engine}/*.ts'],
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
      '{words,wasm,calls,io,work,engine}/*.ts',
    ],
    imports: CALLERS,
    types: [own('(?:[\\w-]+-)?module')],
  },
  {
    name: 'of a pool',
    files: ['pool/*.ts'],
    except: ['pool/{room,handle}.ts'],
    imports: [own('[\\w-]+'), '\\.\\./(?:calls|work|io|engine)/[\\w-]+\\.ts'],
  },
  {
    // The object that callers have offers the parallel parts of other rooms.
    name: 'a pool',
    files: ['pool/handle.ts'],
    imports: [...CALLERS, '\\.\\./[\\w-]+/parallel(?:-files)?\\.ts'],
  },
  {
    name: 'about Node',
    files: ['stream/node.ts'],
    imports: [...CALLERS, 'node:[\\w/]+'],
  },
  {
    name: 'a door',
    files: ['*.ts'],
    except: ['index.ts'],
    imports: [
      `\\./${ROOM}/(?!(?:${MAP}|${ROUNDS}|${KERNELS}|${BINDINGS}|room|generated-bytes)\\.ts)[\\w-]+\\.ts`,
      '\\./(?:calls|work|io)/[\\w-]+\\.ts',
      '\\./engine/detect\\.ts',
    ],
  },
  { name: 'the root', files: ['index.ts'], imports: [own('[\\w-]+')] },
  {
    name: 'the description of a room',
    files: ['*/room.ts'],
    imports: [
      anywhere(MAP),
      anywhere(KERNELS),
      anywhere('room'),
      '\\.\\./engine/description\\.ts',
      '\\.\\./wasm/module\\.ts',
    ],
  },
  { name: 'the assembler', files: ['wasm/*.ts'], imports: [own('[\\w-]+')] },
  { name: 'the words of rounds', files: ['words/*.ts'], imports: [own('[\\w-]+'), '\\.\\./wasm/[\\w-]+\\.ts'] },
  {
    name: 'the engine',
    files: ['engine/*.ts'],
    except: ['engine/{probe,unpacker}-module*.ts', 'engine/description.ts'],
    imports: [own('(?!(?:probe-modules|unpacker-module|description)\\.ts)[\\w-]+')],
  },
  {
    name: 'for tools',
    files: ['engine/{probe,unpacker}-module*.ts', 'engine/description.ts'],
    imports: ['\\.\\./wasm/[\\w-]+\\.ts'],
  },
  {
    name: 'what all calls share',
    files: ['calls/*.ts'],
    imports: [own('[\\w-]+'), '\\.\\./engine/[\\w-]+\\.ts'],
  },
  {
    name: 'about threads',
    files: ['work/*.ts'],
    imports: [own('[\\w-]+'), '\\.\\./(?:calls|engine)/[\\w-]+\\.ts'],
  },
  {
    name: 'about bytes in and out',
    files: ['io/*.ts'],
    except: ['io/node-*.ts'],
    imports: [own('(?!node-)[\\w-]+'), '\\.\\./(?:work|calls|engine)/[\\w-]+\\.ts'],
  },
  {
    name: 'about files of Node',
    files: ['io/node-*.ts'],
    imports: [own('[\\w-]+'), '\\.\\./(?:work|calls|engine)/[\\w-]+\\.ts', 'node:[\\w/]+'],
  },
];

const source = (glob: string): string => `packages/lanewise/src/${glob}`;
const noneOf = (allowed: readonly string[]): string => `^(?!(?:${allowed.join('|')})$)`;

/** The imports of each file or room. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The files of the library that a text of one of them imports, types included, and where it says so. */
const importsOf = (file: string, text: string): { readonly imported: string; readonly at: number }[] =>
  ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName, pos }) => ({ imported: join(dirname(file), fileName), at: pos }))
    // The text of the `js` engine is written by a room's own kernel, and has its types.
    .filter(({ imported }) => !imported.startsWith('js/'));

/** The folder of a file; a door is a room of its own. */
const roomOf = (file: string): string => file.split('/')[0];

/** Whether arrows lead from one to another. */
function leads(arrows: Arrows, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(arrows.get(from) ?? [])].some((next) => leads(arrows, next, to, seen));
}

const SOURCES = join(import.meta.dirname.replaceAll('\\', '/'), source(''));
/** The imports of all files, read once. */
let files: Arrows | undefined;
const readFiles = (): Arrows =>
  new Map(
    globSync('**/*.ts', { cwd: SOURCES })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !file.startsWith('js/'))
      .map((file) => [
        file,
        new Set(importsOf(file, readFileSync(join(SOURCES, file), 'utf8')).map(({ imported }) => imported)),
      ]),
  );

/** Imports lead down: no file and no room leads back to itself. */
const noCircle: Rule.RuleModule = {
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      const file = relative(SOURCES, context.filename.replaceAll('\\', '/'));
      const its = importsOf(file, sourceCode.text);
      // The text that is linted may not be saved yet.
      const all = new Map((files ??= readFiles())).set(file, new Set(its.map(({ imported }) => imported)));
      const rooms = new Map<string, Set<string>>();
      for (const [from, imported] of all) {
        const arrows = rooms.get(roomOf(from)) ?? new Set();
        for (const to of imported) if (roomOf(to) !== roomOf(from)) arrows.add(roomOf(to));
        rooms.set(roomOf(from), arrows);
      }
      for (const { imported, at } of its) {
        const isInside = roomOf(imported) === roomOf(file);
        if (isInside ? leads(all, imported, file) : leads(rooms, roomOf(imported), roomOf(file)))
          context.report({
            loc: sourceCode.getLocFromIndex(at),
            message: `${isInside ? imported : roomOf(imported)} leads back to ${isInside ? file : roomOf(file)}: imports must have no circle (ARCHITECTURE.md).`,
          });
      }
    },
  }),
};
const plugin: ESLint.Plugin = { rules: { 'no-circle': noCircle } };

const importsByName: Linter.Config[] = kinds.map(({ name, files, except = [], imports, types = [] }) => ({
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

export const rooms: Linter.Config[] = [
  ...importsByName,
  { files: [source('**/*.ts')], plugins: { rooms: plugin }, rules: { 'rooms/no-circle': 'error' } },
];

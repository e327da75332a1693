/** The API reference: pages in Markdown, made by TypeDoc of the comments of the sources. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import {
  Application,
  ConditionalType,
  ContainerReflection,
  Converter,
  type Context,
  type ProjectReflection,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  SignatureReflection,
  type SomeType,
} from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { root } from './pages.ts';

/**
 * Objects of the host, as far as they are used: callers pass the host's own, and name them by its types. And the kernels of `@lanewise/native`, which
 * it alone passes.
 */
const OF_OTHERS = [
  'engine/instance.ts:InstanceMaker',
  'io/handles.ts:BlobLike',
  'io/handles.ts:NodeFile',
  'io/handles.ts:NodeHandle',
  'io/handles.ts:WebHandle',
  'pool/spawn.ts:EventWorker',
  'pool/spawn.ts:NodeWorker',
].map((name) => `lanewise/src/${name}`);

interface Entry {
  /** As it is imported. */
  readonly name: string;
  readonly source: string;
  /** The page of the site below `api/`. */
  readonly page: string;
}

const SOURCES = join(root, 'packages/lanewise/src');
/** Is imported by workers, and exports nothing. */
const WORKER = 'worker';

/** The root comes last: exports that another entry has, too, are described there. */
function entries(): readonly Entry[] {
  const doors = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => basename(name, '.ts'))
    .filter((name) => name !== WORKER && name !== 'index');
  return [
    ...doors.map((door) => ({ name: `lanewise/${door}.js`, source: join(SOURCES, `${door}.ts`), page: door })),
    { name: '@lanewise/age', source: join(root, 'packages/age/src/index.ts'), page: 'age' },
    { name: 'lanewise', source: join(SOURCES, 'index.ts'), page: 'lanewise' },
  ];
}

/** A module with namespaces has a folder of its own. */
function fileOf(folder: string, page: string): string {
  const found = [`${page}.md`, `${page}/index.md`].find((name) => existsSync(join(folder, name)));
  if (found === undefined) throw new Error(`TypeDoc wrote no page "${page}"`);
  return join(folder, found);
}

/** `folder` has the pages. */
export const apiSidebar = (folder: string): DefaultTheme.SidebarItem[] => [
  {
    text: 'API',
    items: [
      { text: 'All imports', link: '/api/' },
      ...entries().map(({ name, page }) => {
        const path = relative(folder, fileOf(folder, page));
        return { text: name, link: `/api/${path.replace(/(?:index)?\.md$/, '')}` };
      }),
    ],
  },
];

/**
 * The comment of a function with several signatures is that of the first, and describes the parameters of all of them. TypeDoc wants a
 * comment for each.
 */
function describeSignatures(project: ProjectReflection): void {
  for (const reflection of Object.values(project.reflections)) {
    const { signatures } = reflection as { signatures?: SignatureReflection[] };
    if (!signatures || signatures.length < 2) continue;
    const [{ comment }, ...others] = signatures;
    if (!comment) continue;
    for (const other of others) other.comment ??= comment.clone();
    const known = new Set(signatures.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)));
    for (const signature of signatures) {
      const own = new Set(signature.parameters?.map(({ name }) => name));
      signature.comment!.blockTags = signature.comment!.blockTags.filter(
        ({ tag, name }) => tag !== '@param' || name === undefined || own.has(name) || !known.has(name),
      );
    }
  }
}

/** The constructor behind an interface of the same name is exported as a type, with it; callers can't call it. */
function forgetConstructors(project: ProjectReflection): void {
  for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias))
    if (
      alias.parent instanceof ContainerReflection &&
      alias.parent.children?.some((each) => each !== alias && each.name === alias.name)
    )
      project.removeReflection(alias);
}

/** A class of the host. */
function hostClass(project: ProjectReflection, name: string, ...of: readonly SomeType[]): ReferenceType {
  const type = ReferenceType.createBrokenReference(name, project, 'typescript');
  if (of.length > 0) type.typeArguments = [...of];
  return type;
}

const freshBytes = (project: ProjectReflection): ReferenceType =>
  hostClass(project, 'Uint8Array', hostClass(project, 'ArrayBuffer'));

/** The result of a call with `out`: a buffer of the type that was passed, or fresh bytes. */
function resultWith(project: ProjectReflection, { typeParameters = [] }: SignatureReflection): SomeType {
  const out = typeParameters.find(({ name }) => name === 'Out');
  if (!out) return freshBytes(project);
  const its = (): ReferenceType => ReferenceType.createResolvedReference(out.name, out, project);
  return new ConditionalType(its(), hostClass(project, 'Uint8Array'), its(), freshBytes(project));
}

/** TypeDoc writes an inlined alias of a class of the host as an object with all members of the class: this is the class, instead. */
function nameHostClasses(project: ProjectReflection): void {
  const named = (type: SomeType, signature: SignatureReflection): SomeType => {
    if (type instanceof ReferenceType && type.typeArguments)
      type.typeArguments = type.typeArguments.map((each) => named(each, signature));
    if (!(type instanceof ReflectionType)) return type;
    const { declaration } = type;
    const bytes = declaration.getChildByName(['BYTES_PER_ELEMENT']);
    if (!bytes && !declaration.getChildByName(['pipeThrough'])) return type;
    project.removeReflection(declaration);
    return bytes ? resultWith(project, signature) : hostClass(project, 'ReadableStream', freshBytes(project));
  };
  for (const signature of project.getReflectionsByKind(ReflectionKind.CallSignature))
    if (signature instanceof SignatureReflection && signature.type) signature.type = named(signature.type, signature);
}

/** Writes a page for each entry to a folder. Throws if an export lacks its description, or a link leads nowhere. */
export async function writeApi(folder: string): Promise<void> {
  const found = entries();
  const options: Parameters<typeof Application.bootstrapWithPlugins>[0] & Partial<PluginOptions> = {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: found.map(({ source }) => source),
    tsconfig: join(import.meta.dirname, '../tsconfig.api.json'),
    logLevel: 'Warn',
    readme: 'none',
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    disableSources: true,
    disableGit: true,
    sortEntryPoints: false,
    sort: ['source-order'],
    groupOrder: ['Functions', 'Variables', 'Classes', '*'],
    validation: {
      notExported: true,
      invalidLink: true,
      invalidPath: true,
      rewrittenLink: true,
      notDocumented: true,
      unusedMergeModuleWith: true,
    },
    outputs: [{ name: 'markdown', path: folder }],
    router: 'module',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    expandObjects: true,
    sanitizeComments: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
  };
  const app = await Application.bootstrapWithPlugins(options);
  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    ({ project }: Context) => {
      forgetConstructors(project);
      nameHostClasses(project);
      describeSignatures(project);
    },
    1000,
  );
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc cannot read the sources');
  const modules = project.children ?? [];
  if (modules.length !== found.length) throw new Error(`TypeDoc found ${modules.length} of ${found.length} entries`);
  modules.forEach((module, i) => (module.name = found[i].page));
  // Exports of other packages are described by those; the rest has to be there.
  for (const packageName of ['lanewise', '@lanewise/age']) {
    project.packageName = packageName;
    app.options.setValue('intentionallyNotExported', packageName === 'lanewise' ? OF_OTHERS : []);
    app.validate(project);
  }
  await app.generateOutputs(project);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0)
    throw new Error(`TypeDoc: ${errorCount} errors, ${warningCount} warnings; they are above`);

  const rows = found.map(({ name, page }) => {
    const path = fileOf(folder, page);
    const text = readFileSync(path, 'utf8').replace(/^# .*$/m, `# ${name}`);
    // Re-exports of the root are on the pages of their own imports.
    writeFileSync(path, page === 'lanewise' ? `---\nsearch: false\n---\n\n${text}` : text);
    const [, first] = /^# .*\n+((?:[^\n]+\n)+)/.exec(text) ?? [];
    if (first === undefined || first.startsWith('#')) throw new Error(`${name} has no description of its module`);
    const address = `./${relative(folder, path)}`;
    return `| [\`${name}\`](${address}) | ${first.trim().replaceAll('\n', ' ').replaceAll('](#', `](${address}#`)} |`;
  });
  const table = ['| import | |', '| --- | --- |', ...rows].join('\n');
  writeFileSync(join(folder, 'index.md'), `---\noutline: false\n---\n\n# API\n\n${table}\n`);
}

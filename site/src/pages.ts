/** Which files of the repository are pages of the site, and in which order the navigation shows them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root: string = join(import.meta.dirname, '../..');

export interface Page {
  /** The file in the repository. */
  readonly file: string;
  /** The page on the site, without its ending: `guides/streams`. */
  readonly path: string;
}

export interface Group {
  readonly title: string;
  readonly files: readonly string[];
}

const SECURITY = [
  'docs/guide/security-model.md',
  'SECURITY.md',
  'docs/inside/evidence.md',
  'packages/proofs/README.md',
  'packages/proofs/SOUNDNESS.md',
];
const MEASUREMENTS = [
  'docs/speed.md',
  'docs/guide/measuring.md',
  'docs/measurements/README.md',
  'docs/scaling.md',
  'docs/cluster-scaling.md',
  'docs/inside/javascriptcore.md',
  'docs/inside/machine-code.md',
  'packages/lab/README.md',
];
/** In the order of their list; studies that are not named come last. */
const STUDIES = ['README', 'chacha20', 'serpent', 'blake3-ladder', 'disks', 'salsa20-speed'].map(
  (name) => `docs/studies/${name}.md`,
);
const PROJECT = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/inside/adding-a-primitive.md',
  'docs/inside/box.md',
  'CHANGELOG.md',
  'vectors/README.md',
  'packages/drop-ins/README.md',
  'packages/sqlite/README.md',
  'examples/video/README.md',
  'examples/verified-video/README.md',
  'examples/notes/README.md',
  'examples/cluster/README.md',
];
/** In the order in which a new user needs them. */
const GUIDES = [
  'docs/guide/choosing.md',
  'docs/guide/passwords.md',
  'docs/guide/fields.md',
  'docs/guide/databases.md',
  'docs/guide/files-and-bodies.md',
  'docs/guide/streams.md',
  'docs/guide/random-access.md',
  'docs/guide/verified-streaming.md',
  'docs/guide/many-cores.md',
  'docs/guide/cluster.md',
  'docs/inside/authenticated-file.md',
  'docs/guide/siv.md',
  'docs/guide/environments.md',
  'docs/guide/modules.md',
];

/** Of `npm run site`; the app has another origin. */
export const SITE_PORT = 8080;
export const APP_PORT = 8081;

/** The address in a setting: that of a host. */
function addressOf(name: 'APP_URL' | 'SITE_URL', otherwise: string, example: string): string {
  const url = process.env[name] ?? otherwise;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Error(`"${name}" expected an address such as ${example}, got "${url}"`);
  return url;
}

/**
 * Where the site is served, to which the app links.
 *
 * @throws Error if `SITE_URL` is not an address of a host.
 */
export const siteUrl = (): string =>
  addressOf('SITE_URL', `http://localhost:${SITE_PORT}/`, 'https://lanewise.example/');

/**
 * Where the app is served: at an origin of its own, because pages of one origin can read each other's files and keys.
 *
 * @throws Error if `APP_URL` is not an address of a host.
 */
export const appUrl = (): string => addressOf('APP_URL', `http://localhost:${APP_PORT}/`, 'https://files.example/');

/** The app isn't part of the site; this page describes it. */
const APP = 'site/app/README.md';

/** Files with this name in the folders of a folder, or files that end in `.md` in the folder itself. */
function filesIn(folder: string, name?: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const files = readdirSync(path).map((entry) => (name === undefined ? entry : `${entry}/${name}`));
  return files
    .filter((file) => file.endsWith('.md') && existsSync(join(path, file)))
    .map((file) => `${folder}/${file}`);
}

/**
 * The groups of the navigation. Guides and packages that are not named above come last in their groups. A guide that is named and not
 * there isn't a page; a link to it is an error.
 */
export function groups(): readonly Group[] {
  const named = new Set([...SECURITY, ...MEASUREMENTS, ...STUDIES, ...PROJECT, ...GUIDES]);
  const others = (files: readonly string[]): string[] => files.filter((file) => !named.has(file)).toSorted();
  return [
    { title: 'Guides', files: [...GUIDES, ...others(filesIn('docs/guide'))] },
    { title: 'From another library', files: others(filesIn('docs/guide/migrating')) },
    { title: 'Packages', files: [...others(filesIn('packages', 'README.md')), APP] },
    { title: 'Security and proofs', files: SECURITY },
    { title: 'Measurements', files: MEASUREMENTS },
    {
      title: 'Studies',
      files: [...STUDIES, ...others(filesIn('docs/studies'))],
    },
    { title: 'The project', files: PROJECT },
  ]
    .map(({ title, files }) => ({ title, files: files.filter((file) => existsSync(join(root, file))) }))
    .filter(({ files }) => files.length > 0);
}

/** `docs/guide/streams.md` is `guides/streams`, `docs/inside/javascriptcore.md` is `inside/javascriptcore`, `packages/age/README.md` is `packages/age`, `SECURITY.md` is `security`. */
export function pathOf(file: string): string {
  const [name] = file.split(/\.md$/);
  const placed = name.replace(/^docs\/(guide\/)?(?=[^/]+$)/, 'guides/').replace(/^docs\/(guide\/)?/, '');
  return placed
    .replace(/^site\//, 'packages/')
    .replace(/\/README$/, '')
    .toLowerCase();
}

export const pages = (): readonly Page[] =>
  groups().flatMap(({ files }) => files.map((file) => ({ file, path: pathOf(file) })));

/** The names of an encrypted file system: folders and files, and the text by which they are stored. */
import { bytesToHex, hexToBytes } from 'lanewise/utils.js';
import { FileFailure } from './failure.ts';

/** Types of files in their modes (POSIX, sys/stat.h). */
export const FOLDER_TYPE = 0o040000;
export const FILE_TYPE = 0o100000;
const PERMISSIONS = 0o7777;

export const modeOf = (type: number, mode: number | undefined, otherwise: number): number =>
  type | ((mode ?? otherwise) & PERMISSIONS);

export interface FolderNode {
  readonly kind: 'folder';
  mode: number;
  /** When it was changed, in milliseconds since 1970. */
  time: number;
  readonly children: Map<string, TreeNode>;
}

export interface FileNode {
  readonly kind: 'file';
  mode: number;
  time: number;
  /** The number of its stored file. */
  readonly slot: number;
  readonly identity: Uint8Array;
}

export type TreeNode = FolderNode | FileNode;

/** A node as JSON has it: name, mode, time, then the children of a folder, or slot and identity of a file. */
type Entry = [name: string, mode: number, time: number, of: readonly Entry[] | number, identity?: string];

export const newFolder = (mode?: number): FolderNode => ({
  kind: 'folder',
  mode: modeOf(FOLDER_TYPE, mode, 0o755),
  time: Date.now(),
  children: new Map(),
});

const entryOf = ([name, node]: readonly [string, TreeNode]): Entry =>
  node.kind === 'folder'
    ? [name, node.mode, node.time, [...node.children].map(entryOf)]
    : [name, node.mode, node.time, node.slot, bytesToHex(node.identity)];

function nodeOf([name, mode, time, of, identity]: Entry): readonly [string, TreeNode] {
  if (typeof of === 'number') return [name, { kind: 'file', mode, time, slot: of, identity: hexToBytes(identity!) }];
  return [name, { kind: 'folder', mode, time, children: new Map(of.map(nodeOf)) }];
}

export const textOf = (root: FolderNode): string => JSON.stringify(entryOf(['', root]));
/** Of a text that is authentic. */
export const treeOf = (text: string): FolderNode => nodeOf(JSON.parse(text) as Entry)[1] as FolderNode;

/** Every file, with its path. */
export function* filesIn(folder: FolderNode, path = ''): Generator<readonly [path: string, file: FileNode]> {
  for (const [name, node] of folder.children)
    if (node.kind === 'file') yield [`${path}/${name}`, node];
    else yield* filesIn(node, `${path}/${name}`);
}

/** The names in a path. */
export function partsOfPath(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new FileFailure('EINVAL', `paths with .. aren't known here: ${path}`);
  return parts;
}

/** A node, if there is one. */
export function findIn(root: FolderNode, parts: readonly string[]): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const part of parts) {
    if (node === undefined) return undefined;
    if (node.kind === 'file') throw new FileFailure('ENOTDIR', `/${parts.join('/')} goes through a file`);
    node = node.children.get(part);
  }
  return node;
}

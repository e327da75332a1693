/** The parts of `@sqlite.org/sqlite-wasm` that a VFS needs (sqlite.org/wasm, "C-style API" and "C structs"). */
import { typeOf } from '../values.ts';

/** A C struct in SQLite's memory; `$name` is a member, a number or an address. */
export interface Struct {
  readonly pointer: number;
  dispose(): void;
  [member: `$${string}`]: number;
}

interface StructClass {
  /** Without an address it makes a new one. */
  new (pointer?: number): Struct;
  readonly structInfo: { readonly sizeof: number };
}

/** A function of SQLite. */
export type Method = (...values: (number | bigint)[]) => number;

/** The object that `sqlite3InitModule()` resolves to. */
export interface OfficialSQLite {
  readonly capi: {
    readonly sqlite3_vfs: StructClass;
    readonly sqlite3_io_methods: StructClass;
    readonly sqlite3_file: StructClass;
    sqlite3_vfs_find(name: string | null): number;
  };
  readonly wasm: {
    heap8u(): Uint8Array<ArrayBuffer>;
    alloc(bytes: number): number;
    dealloc(address: number): void;
    cstrToJs(address: number): string | null;
    functionEntry(address: number): Method;
  };
  readonly vfs: {
    readonly installVfs: (options: {
      readonly io: { readonly struct: Struct; readonly methods: Record<string, Method> };
      readonly vfs: { readonly struct: Struct; readonly methods: Record<string, Method>; readonly name: string };
    }) => void;
  };
}

/** @throws TypeError if it isn't the official build. */
export function officialOf(value: unknown): OfficialSQLite {
  const { capi, wasm, vfs } = (value ?? {}) as Partial<OfficialSQLite>;
  if (
    typeof capi?.sqlite3_vfs !== 'function' ||
    typeof wasm?.heap8u !== 'function' ||
    typeof vfs?.installVfs !== 'function'
  )
    throw new TypeError(
      `"sqlite3" expected the object that sqlite3InitModule() of @sqlite.org/sqlite-wasm resolves to, got ${typeOf(value)}`,
    );
  return value as OfficialSQLite;
}

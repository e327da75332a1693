/** A VFS of the official build, such as `opfs-sahpool`, with the calls of wa-sqlite's `FacadeVFS`. */
import * as codes from '../codes.ts';
import { Facade } from '../facade.ts';
import type { Method, OfficialSQLite, Struct } from './interface.ts';

/** A struct of methods. Looking for their functions takes longer than calling them. */
interface Methods {
  readonly struct: Struct;
  readonly found: Record<string, Method>;
}

interface OpenFile {
  /** Of its sqlite3_file. */
  readonly address: number;
  /** Of its name, which SQLite keeps until the file is closed. */
  readonly name: number;
  readonly methods: Methods;
}

/** Names have zeros around them: a VFS may look for the parameters of a URI there. */
const AROUND = 8;

export class StructVFS extends Facade {
  readonly #sqlite3: OfficialSQLite;
  readonly #base: Struct;
  readonly #open = new Map<number, OpenFile>();
  /** By the addresses of their structs. */
  readonly #methods = new Map<number, Methods>();
  /** Memory of SQLite for one call. */
  #scratch = 0;
  #scratchBytes = 0;

  constructor(name: string, sqlite3: OfficialSQLite, base: Struct) {
    super(name, {});
    this.#sqlite3 = sqlite3;
    this.#base = base;
    this.mxPathname = base.$mxPathname;
  }

  #io(file: number, member: `$x${string}`, ...values: (number | bigint)[]): number {
    const open = this.#open.get(file);
    if (!open) return codes.IOERR;
    const { struct, found } = open.methods;
    return (found[member] ??= this.#sqlite3.wasm.functionEntry(struct[member]))(open.address, ...values);
  }

  /** The methods of a file that was opened; undefined if it has none. */
  #methodsAt(file: number): Methods | undefined {
    const { capi } = this.#sqlite3;
    const address = new capi.sqlite3_file(file).$pMethods;
    if (address && !this.#methods.has(address))
      this.#methods.set(address, {
        struct: new capi.sqlite3_io_methods(address),
        found: Object.create(null) as Methods['found'],
      });
    return this.#methods.get(address);
  }

  #take(bytes: number): number {
    if (bytes > this.#scratchBytes) {
      if (this.#scratch) this.#sqlite3.wasm.dealloc(this.#scratch);
      this.#scratchBytes = 0;
      this.#scratch = this.#sqlite3.wasm.alloc(bytes);
      this.#scratchBytes = bytes;
    }
    return this.#scratch;
  }

  /** A name in SQLite's memory; 0 for none. */
  #nameAt(name: string | null): number {
    if (name === null) return 0;
    const { wasm } = this.#sqlite3;
    const bytes = new TextEncoder().encode(name);
    const address = wasm.alloc(bytes.length + 2 * AROUND) + AROUND;
    const heap = wasm.heap8u();
    heap.fill(0, address - AROUND, address + bytes.length + AROUND);
    heap.set(bytes, address);
    return address;
  }

  #free(name: number): void {
    if (name) this.#sqlite3.wasm.dealloc(name - AROUND);
  }

  /** A number that a call writes. */
  #number(address: number): number {
    return new DataView(this.#sqlite3.wasm.heap8u().buffer).getInt32(address, true);
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
    const { wasm } = this.#sqlite3;
    const size = this.#base.$szOsFile;
    const address = wasm.alloc(size);
    wasm.heap8u().fill(0, address, address + size);
    const nameAt = this.#nameAt(name);
    const out = this.#take(8);
    const code = wasm.functionEntry(this.#base.$xOpen)(this.#base.pointer, nameAt, address, flags, out);
    const methods = this.#methodsAt(address);
    if (code === codes.OK && methods) {
      this.#open.set(file, { address, name: nameAt, methods });
      outFlags.setInt32(0, this.#number(out), true);
      return codes.OK;
    }
    // SQLite closes files that failed to open if they have methods (sqlite.org/c3ref/vfs.html).
    if (methods) wasm.functionEntry(methods.struct.$xClose)(address);
    wasm.dealloc(address);
    this.#free(nameAt);
    return code === codes.OK ? codes.CANTOPEN : code;
  }

  override jClose(file: number): number {
    const open = this.#open.get(file);
    if (!open) return codes.OK;
    const code = this.#io(file, '$xClose');
    this.#open.delete(file);
    this.#sqlite3.wasm.dealloc(open.address);
    this.#free(open.name);
    return code;
  }

  override jRead(file: number, into: Uint8Array, at: number): number {
    const { length } = into;
    const place = this.#take(length);
    const code = this.#io(file, '$xRead', place, length, BigInt(at));
    into.set(this.#sqlite3.wasm.heap8u().subarray(place, place + length));
    return code;
  }

  override jWrite(file: number, bytes: Uint8Array, at: number): number {
    const place = this.#take(bytes.length);
    this.#sqlite3.wasm.heap8u().set(bytes, place);
    return this.#io(file, '$xWrite', place, bytes.length, BigInt(at));
  }

  override jTruncate(file: number, size: number): number {
    return this.#io(file, '$xTruncate', BigInt(size));
  }

  override jSync(file: number, flags: number): number {
    return this.#io(file, '$xSync', flags);
  }

  override jFileSize(file: number, size: DataView): number {
    const place = this.#take(8);
    const code = this.#io(file, '$xFileSize', place);
    size.setBigInt64(0, new DataView(this.#sqlite3.wasm.heap8u().buffer).getBigInt64(place, true), true);
    return code;
  }

  override jLock(file: number, level: number): number {
    return this.#io(file, '$xLock', level);
  }

  override jUnlock(file: number, level: number): number {
    return this.#io(file, '$xUnlock', level);
  }

  override jCheckReservedLock(file: number, isReserved: DataView): number {
    const place = this.#take(8);
    const code = this.#io(file, '$xCheckReservedLock', place);
    isReserved.setInt32(0, this.#number(place), true);
    return code;
  }

  override jFileControl(file: number, operation: number, argument: DataView): number {
    return this.#io(file, '$xFileControl', operation, argument.byteOffset);
  }

  override jSectorSize(file: number): number {
    return this.#io(file, '$xSectorSize');
  }

  override jDeviceCharacteristics(file: number): number {
    return this.#io(file, '$xDeviceCharacteristics');
  }
}

/** The place of the encrypted files: a flat folder of files with short names, whose calls return at once. */

/** A file of a store. */
export interface StoredFile {
  /** Returns the number of bytes that were there. */
  read(into: Uint8Array, at: number): number;
  write(bytes: Uint8Array, at: number): void;
  truncate(size: number): void;
  size(): number;
  close(): void;
}

export interface Store {
  /** Opens a file, and makes it if there is none. */
  open(name: string): StoredFile;
  /** The names of all files that hold bytes. */
  filled(): readonly string[];
  /** Whether a file of this name can be opened at once. */
  hasRoom(name: string): boolean;
  /** Makes these files, for stores that can't do so at once. */
  reserve(names: readonly string[]): Promise<void>;
  /** Brings the bytes of these files to the medium. */
  flush(names: Iterable<string>): void;
  /** Lets go of all files. */
  close(): void;
}

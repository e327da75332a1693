/** The worker with the database. It keeps the key, a passphrase or the secret of a passkey, while the notes are open; the page doesn't. */
import { openDatabase } from '@lanewise/sqlite/browser.js';

const FILE = 'notes.db';
const IMPORT = 'import.db';
const wasm = new URL('wa-sqlite.wasm', location.href);
/** The full-text table holds the notes, so they have one place. */
const SCHEMA = `create virtual table if not exists notes using fts5(text, changed unindexed, prefix = '2 3')`;

let db;
/** The key, because an export closes the database, and opens it again. */
let kept;
/** Keeps a key, and wipes the one before if it is the secret of a passkey. */
function keep(key) {
  if (typeof kept === 'object' && kept !== key) kept.fill(0);
  kept = key;
}

async function handleOf(name, options) {
  return (await navigator.storage.getDirectory()).getFileHandle(name, options);
}

async function remove(name) {
  await (await navigator.storage.getDirectory()).removeEntry(name).catch(() => undefined);
}

async function bytesOf(name) {
  return new Uint8Array(await (await (await handleOf(name)).getFile()).arrayBuffer());
}

/** `createWritable` replaces a file when it is closed: a tab that is closed before leaves the old one. */
async function replace(name, bytes) {
  const stream = await (await handleOf(name, { create: true })).createWritable();
  await stream.write(bytes);
  await stream.close();
}

/** Every word, or the beginning of one, in any order. */
const matchOf = (query) =>
  query
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '')}"*`)
    .join(' ');

const calls = {
  /** Whether there are notes. */
  async exists() {
    try {
      return (await (await handleOf(FILE)).getFile()).size > 0;
    } catch {
      return false;
    }
  },

  async open(key) {
    db = await openDatabase({ file: FILE, key, wasm });
    keep(key);
    await db.all(SCHEMA);
  },

  async close() {
    await db?.close();
    keep(undefined);
    db = undefined;
  },

  async list(query) {
    const match = matchOf(query);
    return match === ''
      ? db.all('select rowid as id, substr(text, 1, 200) as text from notes order by changed desc')
      : db.all(
          `select rowid as id, substr(text, 1, 200) as text, snippet(notes, 0, char(2), char(3), '…', 12) as found
           from notes where notes match ? order by rank`,
          [match],
        );
  },

  async read(id) {
    return (await db.values('select text from notes where rowid = ?', [id]))[0]?.[0] ?? '';
  },

  /** @returns the number of the note, a new one for a new note. */
  async write(id, text) {
    if (id === undefined) {
      await db.all('insert into notes(text, changed) values (?, ?)', [text, Date.now()]);
      return (await db.values('select last_insert_rowid()'))[0][0];
    }
    await db.all('update notes set text = ?, changed = ? where rowid = ?', [text, Date.now(), id]);
    return id;
  },

  remove: (id) => db.all('delete from notes where rowid = ?', [id]),

  async rekey(key) {
    await db.rekey(key);
    keep(key);
  },

  /** The encrypted file: no transaction is open, so it is whole. */
  async export() {
    await db.close();
    try {
      return await bytesOf(FILE);
    } finally {
      await calls.open(kept);
    }
  },

  /** Replaces the notes by those of a file, if this key opens it. */
  async import(bytes, key) {
    try {
      await replace(IMPORT, bytes);
      const other = await openDatabase({ file: IMPORT, key, wasm });
      try {
        await other.all('select count(*) from notes');
      } finally {
        await other.close();
      }
      await calls.close();
      await replace(FILE, bytes);
      for (const suffix of ['-journal', '-wal']) await remove(FILE + suffix);
    } finally {
      await remove(IMPORT);
    }
    await calls.open(key);
  },
};

self.onmessage = async ({ data: { number, name, values } }) => {
  try {
    self.postMessage({ number, result: await calls[name](...values) });
  } catch (error) {
    self.postMessage({ number, message: error.message });
  }
};

/** Calls that a table leaves out, each kind with the reason. */

export const TABLES = ['lengths', 'memory', 'pollution', 'machines', 'cost', 'drafts'] as const;
export type Table = (typeof TABLES)[number];

const COMMAND = 'a command is a process of its own: no caller shares its memory, its prototypes or its objects';
const QUEUE = 'needs a queue: *.servers.test.ts of packages/cluster have it, and no bytes of the caller go there';
const PURE = 'gives a number, a text or an object for what it is given, and keeps nothing';
const ONCE = 'gives its whole result at once: nothing goes on from call to call';
const NO_FILE = 'writes no file';
const STARTS = 'only makes an object or a stream; its methods have the work';

export const excluded: readonly (readonly [tables: readonly Table[], pattern: RegExp, reason: string])[] = [
  [['lengths', 'memory', 'pollution', 'machines', 'cost'], /^(cli|swap) /, COMMAND],
  [
    ['lengths', 'memory', 'pollution', 'machines', 'cost', 'drafts'],
    /^cluster (Cluster\.(cancel|close|job|jobs|status|wait)|ClusterWorker\.\w+)$/,
    QUEUE,
  ],
  [['machines', 'cost'], /^cluster /, QUEUE],
  [
    ['lengths', 'memory', 'pollution', 'machines', 'cost'],
    /^noble-ciphers 1 _poly1305\.wrapConstructorWithKey$/,
    "the original's own, for its users' constructors",
  ],
  [
    ['lengths', 'memory', 'pollution', 'machines', 'cost'],
    /^age (HeaderReader\.truncated|(En|De)crypter\.set\w+)$/,
    PURE,
  ],
  [
    ['lengths', 'memory', 'pollution', 'machines'],
    /^age ((En|De)crypter\.(add|set)\w+|armor\.decode)$/,
    'takes texts and objects, no bytes and no options, and adds them to a list last of all',
  ],
  [['cost'], /^age (Decrypter\.(payloadKey|decryptHeader)|Encrypter\.(fileHeader)|armor\.(en|de)code|\w+\.end)$/, ONCE],
  [
    ['machines'],
    /^age ((En|De)crypter\.\w+|armor\.\w+|inspect|readHeader)$/,
    'makes the machines of the library or of this package, which have rows, for each call',
  ],
  [['lengths', 'memory', 'pollution'], /^age Armor(En|De)coder\.end$/, 'takes nothing'],
  // Functions of the library that keep nothing, and calls that make objects or end them.
  [
    ['machines', 'cost'],
    /^lanewise (chacha|salsa|nacl|siv|serpent|poly1305|blake3|blake2|sha2|argon2|box|bao|random|utils|scrypt|engine|disk)\./,
    ONCE,
  ],
  [['cost'], /^lanewise OutboardHasher\.save$/, ONCE],
  [['machines', 'cost'], /^lanewise (Box|Keyring)\.\w+$/, 'keeps nothing but keys from call to call'],
  [
    ['lengths', 'memory', 'pollution'],
    /^sqlite (NodeVFS|Database\.close)$/,
    'takes nothing, or is called by SQLite alone, with its own memory',
  ],
  [
    ['lengths', 'memory', 'pollution'],
    /^sqlite EncryptedFileSystem\.(open|close|lstat|fstat|readdir|rmdir|unlink|rename|truncate|chmod|utimes|sync|reserve|check|unmount|readFile)$/,
    'takes paths and numbers, no bytes and no options; rows of the others use most of them',
  ],
  [['machines'], /^sqlite EncryptedFileSystem/, 'files.test.ts of packages/sqlite cuts the power at any write'],
  [
    ['machines'],
    /^sqlite /,
    'asynchronous, and one call after the other: tests of packages/sqlite let writes fail, and cut the power',
  ],
  [
    ['lengths', 'memory', 'pollution'],
    /^sqlite browser\.openDatabase$/,
    'needs files of a browser: opfs.long.test.ts of packages/sqlite opens them there, and its options are those of encryptVFS',
  ],
  [['cost'], /^sqlite (?!Database\.(all|values)$)/, ONCE],
  [
    ['drafts'],
    /^sqlite copyDatabase$/,
    'SQLite writes the copy, and a copy that fails is removed: copy.test.ts of packages/sqlite lets it fail, sqlite.long.test.ts of packages/cli kills it',
  ],
  [
    ['drafts'],
    /^sqlite (?!copyDatabase$)/,
    'writes its files in place, with a journal: tests of packages/sqlite kill it at any write',
  ],
  [
    ['lengths', 'memory', 'pollution', 'machines', 'cost', 'drafts'],
    /^native /,
    'takes a number or nothing; the tables over the calls of the library also run on native code, by `npm run test:native`',
  ],
  [
    ['machines', 'cost'],
    /^lanewise VerifiedReader\.read$/,
    'asynchronous, and keeps nothing between reads but pages of the outboard, 64 at most',
  ],
  [['machines', 'cost'], /^lanewise ((stream|stream-node|pool)\.|(chunked|agePayload|secretstream)\(\)\.)/, STARTS],
  [
    ['machines', 'cost'],
    /\.(destroy|describe|outputLength|size|flush|truncate|reset|close|createWritable)$/,
    'takes or gives a number, or ends an object',
  ],
  [
    ['machines'],
    /^lanewise (Pool|Reader|Source|encryptedFile\(\))\./,
    'asynchronous or with a store: functions of the caller throw in callbacks.test.ts',
  ],
  [['machines', 'cost'], /^lanewise (PageCipher|AuthenticatedPages|managedNonce\(\)\(\)|BlockMode)\./, ONCE],
  [['cost'], /^lanewise (Aead|Secretbox|Ctr|chacha20poly1305siv\(\))\./, ONCE],
  [['cost'], /^lanewise (\w+\.end|\w+\.digest\w*)$/, 'once for an object, after its pieces'],
  [['machines', 'cost'], /^(tweetnacl|libsodium|libsodium-sumo) (?!.*secretstream)/, ONCE],
  [['machines', 'cost'], /^blake3-wasm \d hash$/, ONCE],
  [['machines', 'cost'], /^hash-wasm \d argon2\w+$/, ONCE],
  [['machines', 'cost'], /^blake3-jit \d (default\.)?hash(Into)?$/, ONCE],
  [['lengths', 'memory', 'pollution', 'machines', 'cost'], /^blake3-jit \d warmupSimd$/, 'takes nothing'],
  [['machines', 'cost'], /^noble-ciphers \d (chacha|salsa)\.(?!rng)/, ONCE],
  [['machines'], /^noble-ciphers \d chacha\.rng/, "the original's own code over our cipher"],
  [
    ['cost'],
    /^(noble-ciphers|noble-hashes|libsodium|libsodium-sumo) \d /,
    "in pieces it is the original's object, with our function for long ones",
  ],
  [
    ['lengths', 'memory', 'pollution', 'machines'],
    /^noble-hashes \d (?!blake3)/,
    "the library's functions, which have rows, after checks whose outcomes calls.test.ts of noble-hashes compares with the original's; or the original's own",
  ],
  [['drafts'], /^(noble-\w+|tweetnacl|libsodium(-sumo)?|blake3-\w+|hash-wasm) /, NO_FILE],
  [
    ['drafts'],
    /^lanewise (?!.*(decryptWhole|newFile))/,
    'writes no file of its own: an open file is written where it is, which test/disk and test/pool of lanewise have',
  ],
  [['drafts'], /^age (?!Decrypter\.decryptWhole)/, NO_FILE],
  [
    ['drafts'],
    /^cli sqlite$/,
    'sqlite.long.test.ts of packages/cli kills and interrupts it: SQLite writes the draft in a thread, and there is no storage to simulate',
  ],
  [
    ['drafts'],
    /^(swap|cli) (swap|hash|inspect|info|jobs|worker|keygen|disk|fetch)$/,
    'prints only, or edits a project and keeps what undoes that; or disk-kill.nightly.test.ts of packages/cli kills it, and keygen writes one line at once, hash --outboard its tree, in the way of verify; fetch keeps a part for its next run, which proves it: fetch.test.ts of packages/cli',
  ],
  [
    ['drafts'],
    /^cluster /,
    'drafts of objects belong to workers: faults.servers.test.ts and storm.servers.test.ts of packages/cluster kill them',
  ],
];

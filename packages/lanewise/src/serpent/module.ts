/** The module of Serpent in ECB, CBC and OCB mode. The memory map is serpent.ts's. */
import { when } from '../wasm/control.ts';
import { Module } from '../wasm/module.ts';
import { decryption, defineScalarBlocks, defineSchedule } from './kernel.ts';
import { STAGE, PAGES } from './map.ts';
import { defineEncryption, defineLaneBlocks } from './lanes.ts';
import { defineCbcDecrypt, defineCbcEncrypt, defineCbcMany } from './cbc-kernel.ts';
import { defineOcb } from './ocb-kernel.ts';
import { laneSum, scalarSum, type Cipher } from './rows.ts';

/**
 * The exported functions. With `key` not 0, they first make the round keys from the key at KEY; with 0, they use those
 * of the last call. Blocks are at STAGE, one or more.
 */
export interface Functions {
  ecbEncrypt(key: number, blocks: number): void;
  ecbDecrypt(key: number, blocks: number): void;
  cbcEncrypt(key: number, blocks: number): void;
  cbcDecrypt(key: number, blocks: number): void;
  /** Streams `stride` bytes apart. WORK has the block before each, and afterwards its last block. */
  cbcMany(key: number, streams: number, stride: number, blocks: number): void;
  /** OCB: encrypts STAGE and puts the tag after it; `bottom` is the number in the last six bits of the nonce at STRETCH. */
  seal(bottom: number, aadLength: number, length: number): void;
  /** Decrypts STAGE, whose tag is after it; 1 if the tag is right. */
  open(bottom: number, aadLength: number, length: number): number;
  /** A message in parts: first key and nonce … */
  begin(bottom: number): void;
  /** … then additional data, all parts but the last in whole groups of sixteen blocks, of which `number` were before … */
  hash(address: number, number: number, length: number): void;
  /** … then the message at STAGE, in the same way … */
  encrypt(number: number, length: number): void;
  decrypt(number: number, length: number): void;
  /** … at the end the tag goes to CHECKSUM … */
  finish(): void;
  /** … where it may be compared with the 16 bytes of TAG: 1 if they are equal. */
  verify(): number;
}

/** The form of a module: with vectors, or without. */
export interface Form {
  readonly lanes?: boolean;
}

export function serpentModule({ lanes = false }: Form): Module {
  const module = new Module(PAGES);
  const schedule = defineSchedule(module);
  const { one, encrypt } = defineEncryption(module, lanes);
  const cipher: Cipher = {
    module,
    encrypt,
    decrypt: lanes ? defineLaneBlocks(module, decryption()) : defineScalarBlocks(module, decryption()),
    sum: lanes ? laneSum : scalarSum,
  };

  const cbcEncrypt = defineCbcEncrypt({ ...cipher, encrypt: one });
  const cbcDecrypt = defineCbcDecrypt(cipher);
  const cbcMany = defineCbcMany(cipher);
  module.define('ecbEncrypt', ['i32', 'i32'], undefined, (_, key, blocks) => [
    when(key, schedule()),
    cipher.encrypt(STAGE, STAGE, blocks),
  ]);
  module.define('ecbDecrypt', ['i32', 'i32'], undefined, (_, key, blocks) => [
    when(key, schedule()),
    cipher.decrypt(STAGE, STAGE, blocks),
  ]);
  module.define('cbcEncrypt', ['i32', 'i32'], undefined, (_, key, blocks) => [
    when(key, schedule()),
    cbcEncrypt(blocks),
  ]);
  module.define('cbcDecrypt', ['i32', 'i32'], undefined, (_, key, blocks) => [
    when(key, schedule()),
    cbcDecrypt(blocks),
  ]);
  module.define('cbcMany', ['i32', 'i32', 'i32', 'i32'], undefined, (_, key, streams, stride, blocks) => [
    when(key, schedule()),
    cbcMany(streams, stride, blocks),
  ]);
  defineOcb({ ...cipher, schedule, one });
  return module;
}

/** S-boxes on terms: a circuit that is wrong is refused, one that is right is cut, and the specification is right on numbers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORWARD } from '../../lanewise/src/serpent/boxes.ts';
import * as ocb from '../src/specifications/ocb.ts';
import { serpentNumbers as w, serpentSymbols } from '../src/specifications/serpent-algebras.ts';
import { decipher, decryptBlock, encipher, encryptBlock, roundKeys, SBOXES } from '../src/specifications/serpent.ts';
import { wordsOf } from '../src/specifications/algebra.ts';
import { substitution } from '../src/terms/cuts.ts';
import * as terms from '../src/terms/term.ts';

const unhex = (text: string): number[] => [...Buffer.from(text, 'hex')];
const linesOf = (name: string): string[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors', name), 'utf8')) as { tests: string[] }).tests;

describe('a proposed circuit', () => {
  const [table] = SBOXES;
  const circuit = { text: FORWARD[0], before: 0, behind: table[0] };

  it('is refused if one row is wrong', () => {
    for (let x = 0; x < 16; x++)
      for (const bit of [1, 2, 4, 8])
        expect(() => substitution(table.with(x, table[x] ^ bit), circuit)).toThrow(`at ${x}`);
    expect(() => substitution(table, { ...circuit, behind: 0 })).toThrow('does not compute');
  });

  it('gives variables, the same ones for the same inputs, as secret as these', () => {
    const inputs = [0, 1, 2, 3].map((i) => terms.variable(32, `x${i}`, true));
    const outputs = substitution(table, circuit)(inputs);
    const others = substitution(table, circuit)(inputs.with(0, terms.variable(32, 'y', true)));
    expect(substitution(table, circuit)(inputs)).toEqual(outputs);
    outputs.forEach((output, i) => {
      expect(output.secret).toBe(true);
      expect(output).not.toBe(others[i]);
      expect(terms.variablesOf(output)).toHaveLength(1);
    });
  });

  it('is what a kernel that has another one does not come out as', () => {
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => terms.variable(32, `z${i}`, true));
    const outputs = serpentSymbols.substitute(table, [a, b, c, d]);
    const other = serpentSymbols.substitute(SBOXES[1], [a, b, c, d]);
    outputs.forEach((output, i) => {
      expect(output).not.toBe(other[i]);
    });
  });
});

describe('the specification', () => {
  it('gives every NESSIE vector, both ways', () => {
    const lines = linesOf('serpent-nessie.json');
    expect(lines.length).toBe(1734);
    for (const line of lines.filter((_, i) => i % 7 === 0)) {
      const [key, plaintext, ciphertext] = line.split(' ').map(unhex);
      const keys = roundKeys(w, key);
      expect(encryptBlock(w, keys, plaintext), line).toEqual(ciphertext);
      expect(decryptBlock(w, keys, ciphertext), line).toEqual(plaintext);
    }
  });

  it('gives what libgcrypt 1.10.1 gives by OCB, both ways', () => {
    const [key, aad, text] = [32, 40, 200].map((length) => Array.from({ length }, (_, i) => i));
    const keys = roundKeys(w, key);
    const own = ocb.ocbKey(w, (block) => encipher(w, keys, block));
    const cipher = (block: readonly number[]): number[] => encipher(w, keys, block);
    // The nonce 00 01 … 0e, with a one in front of it; its last six bits are 14.
    const nonce = wordsOf(w, [1, ...Array.from({ length: 14 }, (_, i) => i), 0]);
    const start = ocb.firstOffset(w, cipher, nonce, 14);
    const sum = ocb.hash(w, own, cipher, aad);
    const sealed = ocb.blocks(w, own, cipher, undefined, start, text);
    const tail = [...sealed.text, ...ocb.tagOf(w, own, cipher, sealed, sum)].slice(-40);
    expect(Buffer.from(tail).toString('hex')).toBe(
      '1164d8caa13cfd76fbc0355ecd8bc1d4e04fb37d6da3b4f591e4c42956400a09a2d982645ef5f920',
    );
    const back = ocb.blocks(w, own, cipher, (block) => decipher(w, keys, block), start, sealed.text);
    expect(back.text).toEqual(text);
    expect(back.checksum).toEqual(sealed.checksum);
  });
});

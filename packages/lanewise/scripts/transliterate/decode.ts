/** The bytes of a module as functions of named instructions. WebAssembly core specification §5 */
import { byOpcode, type Immediates, type Name } from './instructions.ts';

export type NumberType = 'i32' | 'f64';

export interface Instruction {
  /** Where it is in the module, for messages. */
  readonly at: number;
  readonly name: Name;
  /** An index, a constant, or the offset of a memory access. */
  readonly value: number;
  /** The exponent of the alignment that a memory access promises. */
  readonly align: number;
}

export interface DecodedFunction {
  readonly exportedAs: string | undefined;
  readonly parameters: readonly NumberType[];
  readonly result: NumberType | undefined;
  /** Parameters first. */
  readonly locals: readonly NumberType[];
  /** The last of them is the `end` of the function. */
  readonly code: readonly Instruction[];
}

type Signature = Pick<DecodedFunction, 'parameters' | 'result'>;

class Reader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    if (this.done) throw new Error(`the module ends at ${this.at}, in the middle of something`);
    return this.#bytes[this.at++];
  }

  /** The next byte; only one value is right. */
  expect(value: number, what: string): void {
    const at = this.at;
    if (this.byte() !== value) throw new Error(`${what} at ${at}`);
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  signed32(): number {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
  }

  double(): number {
    const view = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < 8; i++) view.setUint8(i, this.byte());
    return view.getFloat64(0, true);
  }

  text(): string {
    return String.fromCharCode(...Array.from({ length: this.unsigned() }, () => this.byte()));
  }

  type(): NumberType {
    const at = this.at;
    const byte = this.byte();
    if (byte === 0x7f) return 'i32';
    if (byte === 0x7c) return 'f64';
    throw new Error(`type 0x${byte.toString(16)} at ${at} has no form in JavaScript`);
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.unsigned() }, item);
  }
}

/** [value, align] of the immediate that follows an opcode. */
function immediates(reader: Reader, kind: Immediates): [number, number] {
  switch (kind) {
    case 'none':
      return [0, 0];
    case 'index':
      return [reader.unsigned(), 0];
    case 'i32':
      return [reader.signed32(), 0];
    case 'f64':
      return [reader.double(), 0];
    case 'memory': {
      const align = reader.unsigned();
      return [reader.unsigned(), align];
    }
    case 'blockType':
      reader.expect(0x40, 'a block that gives a value');
      return [0, 0];
    case 'memoryIndex':
      reader.expect(0, 'a second memory');
      return [0, 0];
    case 'memoryIndices':
      reader.expect(0, 'a second memory');
      reader.expect(0, 'a second memory');
      return [0, 0];
  }
}

function instruction(reader: Reader): Instruction {
  const at = reader.at;
  let opcode = reader.byte();
  if (opcode === 0xfc) opcode = opcode * 256 + reader.unsigned();
  const row = byOpcode.get(opcode);
  if (!row) throw new Error(`opcode 0x${opcode.toString(16)} at ${at} has no form in JavaScript`);
  const [value, align] = immediates(reader, row[3]);
  return { at, name: row[1], value, align };
}

/** The locals that a body declares, and its instructions. */
function body(reader: Reader): { declared: NumberType[]; code: Instruction[] } {
  const end = reader.unsigned() + reader.at;
  const declared = reader
    .list(() => {
      const length = reader.unsigned();
      return Array.from<NumberType>({ length }).fill(reader.type());
    })
    .flat();
  const code: Instruction[] = [];
  while (reader.at < end) code.push(instruction(reader));
  return { declared, code };
}

const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const FUNCTION = 0;
const MEMORY = 2;

export function decode(bytes: Uint8Array): DecodedFunction[] {
  const reader = new Reader(bytes);
  for (const byte of MAGIC) reader.expect(byte, 'not a module');

  let signatures: Signature[] = [];
  let typeOf: number[] = [];
  const exportedAs = new Map<number, string>();
  let bodies: ReturnType<typeof body>[] = [];

  while (!reader.done) {
    const at = reader.at;
    const section = reader.byte();
    const end = reader.unsigned() + reader.at;
    if (section === 1) {
      signatures = reader.list(() => {
        reader.expect(0x60, 'not a function type');
        const parameters = reader.list(() => reader.type());
        const results = reader.list(() => reader.type());
        if (results.length > 1) throw new Error(`a function of several results before ${reader.at}`);
        return { parameters, result: results[0] };
      });
    } else if (section === 3) {
      typeOf = reader.list(() => reader.unsigned());
    } else if (section === 5) {
      reader.at = end; // the size of the memory is the caller's business
    } else if (section === 7) {
      reader.list(() => {
        const name = reader.text();
        const kind = reader.byte();
        const index = reader.unsigned();
        if (kind === FUNCTION) exportedAs.set(index, name);
        else if (kind !== MEMORY) throw new Error(`export "${name}" is neither a function nor the memory`);
      });
    } else if (section === 10) {
      bodies = reader.list(() => body(reader));
    } else {
      throw new Error(`section ${section} at ${at} has no form in JavaScript`);
    }
    if (reader.at !== end) throw new Error(`section ${section} at ${at} is not as long as it says`);
  }

  if (bodies.length === 0 || bodies.length !== typeOf.length) throw new Error('functions without bodies');
  return bodies.map(({ declared, code }, index) => {
    const { parameters, result } = signatures[typeOf[index]];
    return { exportedAs: exportedAs.get(index), parameters, result, locals: [...parameters, ...declared], code };
  });
}

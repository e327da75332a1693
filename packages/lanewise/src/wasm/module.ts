/** Functions, memory and constants put together to the bytes of a module. WebAssembly core specification §5.5 */
import { byte, typeByte, unsigned, type Expression, type Local, type Statement, type ValueType } from './types.ts';
import { operand, type Telling } from './shapes.ts';

/** The locals that the parameters of a function become. */
export type LocalsOf<P extends readonly ValueType[]> = { [K in keyof P]: Local<P[K]> };
/** The operands of a call to a function with these parameters; literals only where they determine the type. */
export type OperandsOf<P extends readonly ValueType[]> = { [K in keyof P]: Telling<P[K]> };

/** A defined function: calling it emits the call. */
export type Callable<P extends readonly ValueType[], R extends ValueType | undefined> = (
  ...operands: OperandsOf<P>
) => R extends ValueType ? Expression<R> : Statement;

/** The further local variables of a function: its body asks here for them. */
export class Frame {
  #count: number;
  /**
   * One declaration for each local, although runs of one type could share one. WebAssembly core specification §5.5.13
   */
  readonly declarations: string[] = [];

  constructor(parameters: number) {
    this.#count = parameters;
  }

  local<T extends ValueType>(type: T): Local<T> {
    this.declarations.push('\x01' + typeByte[type]);
    return variable(this.#count++);
  }

  locals<T extends ValueType>(type: T, count: number): Local<T>[] {
    return Array.from({ length: count }, () => this.local(type));
  }
}

const variable = <T extends ValueType>(index: number): Local<T> => ('\x20' + unsigned(index)) as Local<T>;

/** Unsigned LEB128 in three bytes, below 2^21. WebAssembly core specification §5.2.2 permits more bytes than needed. */
const padded = (n: number): string => byte((n & 127) | 128, ((n >> 7) & 127) | 128, n >> 14);
const counted = (items: readonly string[]): string => unsigned(items.length) + items.join('');
const sized = (content: string): string => unsigned(content.length) + content;
const section = (id: number, content: string): string => byte(id) + sized(content);

export class Module {
  readonly #types: string[] = [];
  readonly #typeOf: string[] = [];
  readonly #exports: string[] = [];
  readonly #bodies: string[] = [];
  /** The code of each function, with its notes. */
  readonly codes: string[] = [];
  readonly #data: string[] = [];
  readonly #limits: string;

  /**
   * `pages` of 64 KiB, exported as `memory`. It cannot grow, unless it has `mostPages`: then both numbers have three bytes, in which
   * engine/own-memory.ts writes others, and the host's `grow` may make it larger before it is used. No instruction does.
   */
  constructor(pages: number, mostPages?: number) {
    this.#limits = mostPages === undefined ? unsigned(pages) + unsigned(pages) : padded(pages) + padded(mostPages);
    this.#exports.push(sized('memory') + '\x02\x00');
  }

  /**
   * Defines a function; with a `name` it is exported. `body` gets a frame and the parameters, and gives back its
   * statements, and after them the result if the function has one.
   */
  define<const P extends readonly ValueType[]>(
    name: string | undefined,
    parameters: P,
    result: undefined,
    body: (frame: Frame, ...parameters: LocalsOf<P>) => readonly Statement[],
  ): Callable<P, undefined>;
  define<const P extends readonly ValueType[], R extends ValueType>(
    name: string | undefined,
    parameters: P,
    result: R,
    body: (frame: Frame, ...parameters: LocalsOf<P>) => readonly [...Statement[], Expression<NoInfer<R>>],
  ): Callable<P, R>;
  define(
    name: string | undefined,
    parameters: readonly ValueType[],
    result: ValueType | undefined,
    body: (frame: Frame, ...parameters: Local<ValueType>[]) => readonly string[],
  ): (...operands: Telling<ValueType>[]) => string {
    const list = (types: readonly ValueType[]) => counted(types.map((t) => typeByte[t]));
    const type = '\x60' + list(parameters) + list(result ? [result] : []);
    if (!this.#types.includes(type)) this.#types.push(type);
    const frame = new Frame(parameters.length);
    const locals = parameters.map((_, index) => variable(index));
    const code = body(frame, ...locals).join('');
    const bytes = code.replace(/[\ue000-\uf8ff]/g, '');
    const index = this.#bodies.push(sized(counted(frame.declarations) + bytes + '\x0b')) - 1;
    this.codes.push(code);
    this.#typeOf.push(unsigned(this.#types.indexOf(type)));
    if (name) this.#exports.push(sized(name) + '\x00' + unsigned(index));
    const call = '\x10' + unsigned(index);
    return (...operands) => operands.map(operand).join('') + call;
  }

  /** Constants that are in memory from the start. */
  data(offset: number, bytes: Iterable<number>): void {
    this.#data.push('\x00' + operand<'i32'>(offset) + '\x0b' + sized(byte(...bytes)));
  }

  /** Sections in the order of the specification: type, function, memory, export, code, data. */
  bytes(): Uint8Array<ArrayBuffer> {
    const text =
      '\0asm\x01\0\0\0' +
      section(1, counted(this.#types)) +
      section(3, counted(this.#typeOf)) +
      section(5, '\x01\x01' + this.#limits) +
      section(7, counted(this.#exports)) +
      section(10, counted(this.#bodies)) +
      (this.#data.length ? section(11, counted(this.#data)) : '');
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
}

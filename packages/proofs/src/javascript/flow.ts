// Follows secrets through a text without computing their values: a number is known, or unknown and public, or secret.
// The run is the same as on terms, over another memory and another arithmetic. claims/flow.ts does the same for
// modules.
import { counted } from '../claims/amounts.ts';
import { Failure } from '../claims/claim.ts';
import type { FlowKernel } from '../claims/flow.ts';
import type { FlowRunnable } from '../claims/runnable.ts';
import type { Ranges } from '../execute/machine.ts';
import { interpret, type Callable } from './interpret.ts';
import { Memory } from './memory.ts';
import { parse } from './parse.ts';
import { Run } from './run.ts';
import type { Program } from './syntax.ts';
import type { KernelText } from './texts.ts';
import { isSecret, Wide, type Doubles, type Value } from './values.ts';

class Unknown extends Wide {
  readonly secret: boolean;
  constructor(secret: boolean) {
    super();
    this.secret = secret;
  }
}
const PUBLIC = new Unknown(false);
const SECRET = new Unknown(true);

/** A result is unknown if an operand is. */
const flow: Doubles = {
  binary: (_, left, right) => (isSecret(left) || isSecret(right) ? SECRET : PUBLIC),
  toWord: () => {
    throw new Error('memory has no terms');
  },
};

interface FlowByte {
  readonly secret: boolean;
  /** Whether the caller has read the byte since it was written. */
  readonly taken: boolean;
}
const PUBLIC_BYTE: FlowByte = { secret: false, taken: false };
const SECRET_BYTE: FlowByte = { secret: true, taken: false };
const TAKEN_SECRET: FlowByte = { secret: true, taken: true };

class FlowMemory extends Memory<FlowByte> {
  protected before(): FlowByte {
    return PUBLIC_BYTE;
  }
  protected override copyOf({ secret }: FlowByte): FlowByte {
    return secret ? SECRET_BYTE : PUBLIC_BYTE;
  }
  protected numberOf(bytes: readonly FlowByte[]): Value {
    return bytes.some(({ secret }) => secret) ? SECRET : PUBLIC;
  }
  protected bytesOf(value: Value, elementBytes: 1 | 4): FlowByte[] {
    return new Array<FlowByte>(elementBytes).fill(isSecret(value) ? SECRET_BYTE : PUBLIC_BYTE);
  }
}

export class JavaScriptFlow implements FlowRunnable {
  readonly #memory: FlowMemory;
  readonly #run: Run;
  readonly #functions: ReadonlyMap<string, Callable>;
  readonly #exported: readonly string[];

  /**
   * The bounds are those of JavaScriptMachine: bytes that may be read before they are written, and bytes that may be
   * written.
   */
  constructor(program: Program, memoryBytes: number, ranges: Ranges = {}) {
    this.#memory = new FlowMemory(memoryBytes);
    this.#memory.ranges = ranges;
    this.#run = new Run(this.#memory, flow);
    this.#functions = interpret(program, this.#run);
    this.#exported = program.exported;
  }

  write(address: number, length: number, secret: boolean): void {
    this.#memory.set(address, new Array<FlowByte>(length).fill(secret ? SECRET_BYTE : PUBLIC_BYTE));
  }

  /** Marks bytes as read by the caller. */
  read(address: number, length: number): void {
    for (let at = address; at < address + length; at++)
      if (this.#memory.byte(at).secret) this.#memory.set(at, [TAKEN_SECRET]);
  }

  /** The addresses of secret bytes; with `taken`, those that the caller has read are left out. */
  secretBytes({ taken }: { readonly taken: boolean }): number[] {
    return this.#memory.where((byte) => byte.secret && !(taken && byte.taken));
  }

  /** Calls an exported function; throws a Failure if the text did something forbidden. */
  call(name: string, ...parameters: readonly number[]): void {
    const run = this.#exported.includes(name) ? this.#functions.get(name) : undefined;
    if (!run) throw new TypeError(`no function ${name} is exported`);
    if (this.#memory.ranges.reads ?? this.#memory.ranges.writes) counted('bounded calls', 1);
    this.#run.begin();
    run(parameters);
    const [event] = this.#run.events;
    if (event) throw new Failure(`${event.kind}: ${event.what}, in line ${event.line} of the text`);
  }
}

/** A text in the form in which the flow of secrets is followed. */
export function flowOfText({ name, text, memoryBytes }: KernelText): FlowKernel {
  let program: Program | undefined;
  return { name, memoryBytes, start: (ranges) => new JavaScriptFlow((program ??= parse(text)), memoryBytes, ranges) };
}

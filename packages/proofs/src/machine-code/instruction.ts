/** Machine code as the readers of all engines give it: x64 only. */

export type Compiler = 'TurboFan' | 'Liftoff' | 'Ion' | 'Baseline' | 'OMG' | 'BBQ';

export interface Instruction {
  /** From the function's first instruction on. */
  readonly offset: number;
  readonly op: string;
  readonly operands: readonly string[];
  /** The offset to which a jump goes. */
  readonly target: number | undefined;
  /** A call of a stub of V8. */
  readonly isStub: boolean;
  /** The size of the operand in memory, if the text says it. */
  readonly bytes?: number | undefined;
}

export interface MachineFunction {
  readonly index: number;
  readonly compiler: Compiler;
  readonly instructions: readonly Instruction[];
}

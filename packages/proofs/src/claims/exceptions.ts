// The places that no claim about results reaches, with reasons: the only gaps that a coverage claim allows. Each room
// lists its own. A place is a function of the kernel and the number of an instruction in it, or of a condition in a
// text. An entry that is not needed is an error.

export interface Exception {
  readonly reason: string;
  readonly kernels: readonly string[];
  readonly places: readonly string[];
}

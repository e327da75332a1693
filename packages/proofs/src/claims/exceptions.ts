// What no claim about results runs, and why nothing does: the only places that a coverage claim forgives. Each room lists its
// own. A place is a function of the kernel and the number of an instruction in it, or in a text of a condition. An entry that
// is not needed is an error, too.

export interface Exception {
  readonly reason: string;
  readonly kernels: readonly string[];
  readonly places: readonly string[];
}

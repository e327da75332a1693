(* The meaning of the operations in a last step, on numbers from 0 to 2^width - 1: that of SMT-LIB's bit-vectors. Part of what is
   stated, so read it. *)
From Coq Require Import ZArith.
Open Scope Z_scope.

Definition add (width x y : Z) : Z := (x + y) mod 2 ^ width.
Definition mul (width x y : Z) : Z := (x * y) mod 2 ^ width.
Definition shl (width x count : Z) : Z := (x * 2 ^ count) mod 2 ^ width.
Definition shr (x count : Z) : Z := x / 2 ^ count.
Definition bitand (x y : Z) : Z := Z.land x y.
Definition concat (width high low : Z) : Z := high * 2 ^ width + low.
Definition extract (from width x : Z) : Z := (x / 2 ^ from) mod 2 ^ width.

Definition is_word (x : Z) : Prop := 0 <= x < 2 ^ 32.
Definition number (x0 x1 x2 x3 : Z) : Z := x0 + 2 ^ 32 * x1 + 2 ^ 64 * x2 + 2 ^ 96 * x3.
Definition p : Z := 2 ^ 130 - 5.

(* What proofs of a last step use. Nothing here is assumed: coqc checks it. *)
From Coq Require Import ZArith Lia.
Require Import Words.
Open Scope Z_scope.

(* A quotient and a remainder of one division, for all that use them. *)
Lemma division : forall x c, 0 < c -> 0 <= x ->
  exists q r, x / c = q /\ x mod c = r /\ x = c * q + r /\ 0 <= r < c /\ 0 <= q.
Proof.
  intros x c C X. exists (x / c), (x mod c).
  pose proof (Z.div_mod x c ltac:(lia)). pose proof (Z.mod_pos_bound x c C). pose proof (Z.div_pos x c X C). lia.
Qed.

Lemma add_exact : forall w x y, 0 <= x + y < 2 ^ w -> add w x y = x + y.
Proof. intros. unfold add. now rewrite Z.mod_small. Qed.

Lemma mul_exact : forall w x y, 0 <= x * y < 2 ^ w -> mul w x y = x * y.
Proof. intros. unfold mul. now rewrite Z.mod_small. Qed.

Lemma shl_exact : forall w x n, 0 <= x * 2 ^ n < 2 ^ w -> shl w x n = x * 2 ^ n.
Proof. intros. unfold shl. now rewrite Z.mod_small. Qed.

Lemma bitand_low : forall x n, 0 <= n -> bitand x (2 ^ n - 1) = x mod 2 ^ n.
Proof.
  intros x n N. unfold bitand. rewrite <- Z.land_ones by exact N. f_equal. rewrite Z.ones_equiv. lia.
Qed.

(* A low part of a number, and the part above one that has no more. *)
Lemma extract_low : forall w x, extract 0 w x = x mod 2 ^ w.
Proof. intros. unfold extract. now rewrite Z.pow_0_r, Z.div_1_r. Qed.

Lemma extract_high : forall from w x, 0 <= x / 2 ^ from < 2 ^ w -> extract from w x = x / 2 ^ from.
Proof. intros. unfold extract. now rewrite Z.mod_small. Qed.

Lemma byte_bounds : forall from x, 0 <= extract from 8 x <= 255.
Proof. intros. unfold extract. pose proof (Z.mod_pos_bound (x / 2 ^ from) (2 ^ 8) eq_refl). lia. Qed.

(* Two bytes side by side are a half of a word. *)
Lemma two_bytes : forall x, concat 8 (extract 8 8 x) (extract 0 8 x) = x mod 2 ^ 16.
Proof.
  intros. unfold concat. rewrite extract_low. unfold extract. change (2 ^ 16) with (2 ^ 8 * 2 ^ 8).
  rewrite Z.rem_mul_r by lia. lia.
Qed.

Lemma two_bytes_above : forall x low,
  concat 24 (extract 8 8 x) (extract 0 8 x * 2 ^ 16 + low) = x mod 2 ^ 16 * 2 ^ 16 + low.
Proof. intros. rewrite <- two_bytes. unfold concat. lia. Qed.

(* h mod p = h - p * g for the g that the step has added to h, and what it left of all else is a multiple of 2^128. *)
Lemma last_step : forall h s tag g rest k,
  0 <= h < 2 * p ->
  h + 5 = 2 ^ 130 * g + rest -> 0 <= rest < 2 ^ 130 ->
  0 <= tag < 2 ^ 128 ->
  h + 5 * g + s = tag + 2 ^ 128 * k ->
  tag = (h mod p + s) mod 2 ^ 128.
Proof.
  intros h s tag g rest k H G R T K. unfold p in *.
  assert (M : h mod (2 ^ 130 - 5) = h - (2 ^ 130 - 5) * g).
  { assert (g = 0 \/ g = 1) as [-> | ->] by lia; symmetry.
    - apply Z.mod_unique with 0; lia.
    - apply Z.mod_unique with 1; lia. }
  rewrite M. apply Z.mod_unique with (k - 4 * g); lia.
Qed.

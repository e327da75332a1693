/**
 * The labels of recipients. Recipients of one file must have the same set of labels: else a file for a post-quantum recipient
 * would be only as secure as the classic recipient beside it, without notice (C2SP age-plugin, "labels").
 */
import type { Recipient } from 'age-encryption';
import { wrong } from './checks.ts';

const POST_QUANTUM = ['postquantum'];

/** Own recipients may say their labels. */
export type LabelledRecipient = Recipient & {
  /** `postquantum`, for one. */
  readonly labels?: readonly string[];
};

const labelsOf = (recipient: string | LabelledRecipient): readonly string[] => {
  if (typeof recipient !== 'string') {
    const labels: unknown = recipient.labels ?? [];
    if (!Array.isArray(labels)) throw wrong('labels', 'array of strings', labels);
    return labels as string[];
  }
  return /^age1(pq|tagpq)1/.test(recipient) ? POST_QUANTUM : [];
};

/** Throws unless all recipients have the same labels. */
export function checkLabels(recipients: readonly (string | LabelledRecipient)[]): void {
  const sets = new Set(recipients.map((recipient) => [...labelsOf(recipient)].sort().join(', ')));
  if (sets.size <= 1) return;
  const names = [...sets].map((set) => (set === '' ? 'no label' : set)).join(' and ');
  throw new Error(
    `recipients expected all with the same labels, got ${names}: a file for post-quantum and classic recipients is not post-quantum; encrypt it twice`,
  );
}

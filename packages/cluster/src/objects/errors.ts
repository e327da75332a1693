/** The errors of an object. No message holds a credential, a query of a URL, or text that a server sent. */
import { optionsOf } from '../calls.ts';

/** A URL without parts that may be secret: the user, the password and the query of HTTP. Keys of S3 may hold any of those signs. */
export function shown(url: string): string {
  if (!/^https?:/i.test(url)) return url;
  return url.replace(/[?#].*$/s, '').replace(/^(https?:\/*)[^/]*@/i, '$1');
}

/** Details of an {@link ObjectError}. */
export interface ObjectErrorDetails {
  /** Whether the same call may work later, as nothing in it was refused. */
  readonly temporary?: boolean;
  /** The status of the HTTP response. */
  readonly status?: number | undefined;
  /** The store's or the system's code: `SlowDown`, `ENOSPC`. */
  readonly code?: string | undefined;
  /** How long the store asks its callers to wait, in milliseconds. */
  readonly wait?: number | undefined;
  readonly cause?: unknown;
}

/** An object cannot be looked up, read or written. */
export class ObjectError extends Error {
  override readonly name: string = 'ObjectError';
  /** Whether the same call may work later: the store was busy or out of reach. */
  readonly temporary: boolean;
  /** The status of the HTTP response, if there was one. */
  readonly status: number | undefined;
  /** The store's or the system's code: `SlowDown`, `ENOSPC`. */
  readonly code: string | undefined;
  /** How long the store asks its callers to wait, in milliseconds. */
  readonly wait: number | undefined;

  constructor(url: string, reason: string, details: ObjectErrorDetails = {}) {
    const { cause, temporary = false, status, code, wait } = optionsOf(details, undefined, 'details');
    super(`${shown(url)}: ${reason}`, cause === undefined ? undefined : { cause });
    this.temporary = temporary;
    this.status = status;
    this.code = code;
    this.wait = wait;
  }
}

/** The object is not the version that was looked up: its bytes would be of two versions. */
export class ObjectChanged extends ObjectError {
  override readonly name = 'ObjectChanged';
  constructor(url: string, details?: ObjectErrorDetails) {
    super(url, 'the object has changed since it was looked up', details);
  }
}

/** The store gives fewer bytes than the object's size promises. */
export class ObjectShort extends ObjectError {
  override readonly name = 'ObjectShort';
}

/** There is no such object. */
export class ObjectMissing extends ObjectError {
  override readonly name = 'ObjectMissing';
}

/** Neither the worker's prefixes nor the store allow it. */
export class NotAllowed extends ObjectError {
  override readonly name = 'NotAllowed';
}

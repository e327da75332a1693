/** The types of arguments and results. */
import type { ObjectOptions } from './objects/object.ts';

/** Options of {@link Cluster} objects. */
export interface ClusterOptions {
  /** The queue's name, the same for workers and callers: `lanewise` unless given. */
  readonly name?: string;
  /** How objects are reached from here: they are looked up before any work. */
  readonly objects?: ObjectOptions;
}

/** The progress of a task, in bytes of the source. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The options of every task. */
export interface RunOptions {
  /** Cancels the work. */
  readonly signal?: AbortSignal;
  /** Is called as the work proceeds. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Options of a hash. */
export interface HashOptions extends RunOptions {
  /** The keyed hash: the id of the key in the workers' key files. The key itself never goes through the queue. */
  readonly keyId?: string;
  /** Key derivation: the context, which is public. */
  readonly context?: string;
  /** Bytes of output, 32 unless given. */
  readonly dkLen?: number;
  /** Where in the output to begin, 0 unless given. */
  readonly seek?: number;
  /** Bytes of a leaf, a power of two from 1024 up: 64 MiB unless given, more where that would be over 10,000 leaves. */
  readonly leafBytes?: number;
}

/** Options of an encryption. */
export interface EncryptOptions extends RunOptions {
  /** Who can open the file: `age1…`. */
  readonly recipients: readonly string[];
  /** Recipients of the workers' identities, to which the payload's key is sent. */
  readonly workers: readonly string[];
  /** Chunks of 64 KiB in a part: at least 80 for S3, 1024 unless given, more where that would be over 10,000 parts. */
  readonly partChunks?: number;
}

/** Options of a decryption. */
export interface DecryptOptions extends RunOptions {
  /** Whose files can be opened: `AGE-SECRET-KEY-1…`. They stay here. */
  readonly identities: readonly string[];
  /** Recipients of the workers' identities, to which the payload's key is sent. */
  readonly workers: readonly string[];
  /** Chunks of 64 KiB in a part: at least 80 for S3, 1024 unless given, more where that would be over 10,000 parts. */
  readonly partChunks?: number;
}

/** A hash. */
export interface HashResult {
  readonly kind: 'blake3';
  readonly hash: Uint8Array<ArrayBuffer>;
  /** Of the object, in bytes. */
  readonly size: number;
  /** Of the object. */
  readonly etag: string;
}

/** An object that was written. */
export interface SealResult {
  readonly kind: 'encrypt' | 'decrypt';
  readonly target: string;
  /** Of the target, in bytes. */
  readonly size: number;
  /** Of the target. */
  readonly etag: string;
}

/** The result of any work. */
export type WorkResult = HashResult | SealResult;

/** Options of a task that goes on when its caller has left. */
export type Detached<Options extends RunOptions> = Omit<Options, keyof RunOptions>;

/** Work as it is put into the queue. */
export type Work =
  | { readonly kind: 'blake3'; readonly source: string; readonly options?: Detached<HashOptions> }
  | {
      readonly kind: 'encrypt';
      readonly source: string;
      readonly target: string;
      readonly options: Detached<EncryptOptions>;
    }
  | {
      readonly kind: 'decrypt';
      readonly source: string;
      readonly target: string;
      readonly options: Detached<DecryptOptions>;
    };

/** A task in the queue. */
export interface JobState {
  readonly id: string;
  readonly kind: Work['kind'];
  readonly source: string;
  readonly target?: string;
  readonly state: 'waiting' | 'active' | 'completed' | 'failed';
  readonly progress: Progress;
  /** When it was put into the queue. */
  readonly started: Date;
  /** Why it failed. */
  readonly error?: string;
  readonly result?: WorkResult;
}

/** The load of a queue. */
export interface QueueStatus {
  /** Workers that are connected. */
  readonly workers: number;
  /** Jobs that wait. A task with many leaves has a few of them in the queue at a time. */
  readonly waiting: number;
  /** Jobs that run. */
  readonly active: number;
}

/** Puts work into a queue and waits for it. */
export interface Cluster {
  /** Hashes an object; the result is that of `blake3` of its bytes. */
  blake3(source: string, options?: HashOptions): Promise<HashResult>;
  /** Encrypts an object as an age file. */
  encrypt(source: string, target: string, options: EncryptOptions): Promise<SealResult>;
  /** Decrypts an age file. */
  decrypt(source: string, target: string, options: DecryptOptions): Promise<SealResult>;
  /** Puts work into the queue and gives its id, by which it can be asked for later. */
  submit(work: Work): Promise<string>;
  /** The current state of a task, or undefined if the queue has none of that id. */
  job(id: string): Promise<JobState | undefined>;
  /** Waits for a submitted task. The signal ends the waiting, not the task. */
  wait(id: string, options?: RunOptions): Promise<WorkResult>;
  /** All that is in the queue or was there in the last day, the latest first. */
  jobs(): Promise<readonly JobState[]>;
  /** Who works on the queue, and how much waits in it. */
  status(): Promise<QueueStatus>;
  /** Cancels a task and its upload. */
  cancel(id: string): Promise<void>;
  /** Closes the connections; without this call a program doesn't end by itself. Pending calls end with an error. */
  close(): Promise<void>;
}

/** The permissions and settings of a worker. */
export interface WorkerOptions {
  /** The queue's name, `lanewise` unless given. */
  readonly name?: string;
  /** How many jobs run at once, each in a thread; one for each core unless given. */
  readonly threads?: number;
  /**
   * Within how many milliseconds after a worker's death its jobs are another's: 30,000 unless given, at least 3000. The same for all
   * workers of a queue.
   */
  readonly lease?: number;
  /** Prefixes of the objects that it may read: `s3://bucket/prefix`, `file:///srv/data/`, `https://host/path/`. */
  readonly allow: readonly string[];
  /** Prefixes of the objects that it may write; by default none. */
  readonly allowWrite?: readonly string[];
  /** Keys of keyed hashes: by id, the path of a file of 32 bytes, outside of `allow` and `allowWrite`. */
  readonly keyFiles?: Readonly<Record<string, string>>;
  /** The path of a file with age identities, to which payload keys are sent; outside of `allow` and `allowWrite`. */
  readonly identityFile?: string;
  /** How objects are reached. */
  readonly objects?: ObjectOptions;
  /** Whether threads use native code where `@lanewise/native` is installed: true unless given. Results are the same without. */
  readonly native?: boolean;
  /** Called for each event; no line has a key. If it throws, the process gets an uncaught exception. */
  readonly log?: (line: LogLine) => void;
}

/** Something that happened in a worker. */
export interface LogLine {
  readonly time: Date;
  /**
   * A job that `started` is `completed` or `failed`, or `waiting` again: it was handed back, or waits for its leaves; or it is `dropped`,
   * because its work was cancelled or has failed. `stalled`: its worker died, and it will be started again. `error`: of the connection to the
   * queue, which comes back by itself. `notice`: a variable of the environment is set and not read,
   * or native code is installed and cannot be loaded.
   */
  readonly event:
    | 'notice'
    | 'ready'
    | 'started'
    | 'completed'
    | 'failed'
    | 'waiting'
    | 'dropped'
    | 'stalled'
    | 'error'
    | 'stopping'
    | 'stopped';
  /** The job's id. */
  readonly job?: string;
  /** The kind of job: `blake3-leaf`, `blake3-root` … */
  readonly kind?: string;
  readonly source?: string;
  /** Where in the source the job's range begins. */
  readonly offset?: number;
  /** How many bytes of the source the job reads. */
  readonly length?: number;
  /** How long the job took. */
  readonly milliseconds?: number;
  /** Which attempt this was, from 1. */
  readonly attempt?: number;
  readonly error?: string;
  readonly notice?: string;
}

/** How a worker is. */
export interface Health {
  readonly state: 'ready' | 'disconnected' | 'stopping' | 'stopped';
  readonly started: Date;
  /** Seconds since the queue last answered; it is asked six times in a lease. */
  readonly silence: number;
  readonly threads: number;
  /** Jobs that run now. */
  readonly active: number;
  /** Jobs that ended well since the start. */
  readonly completed: number;
  /** Attempts that failed since the start. */
  readonly failed: number;
  /** Bytes that the jobs that ended well have read. */
  readonly bytes: number;
}

/** A worker that runs. */
export interface ClusterWorker {
  health(): Health;
  /** Takes no more jobs, finishes those that it has, or hands them back after a time. */
  stop(): Promise<void>;
  /** Returns its jobs to the queue at once. */
  close(): Promise<void>;
}

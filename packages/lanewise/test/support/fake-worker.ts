/** Workers that are objects of the test's own thread: they obey a test, at the time that it tells. */
import type { Handler, JobKind } from '../../src/work/threads.ts';
import { isShared } from '../../src/engine/intrinsics.ts';
import { PROTOCOL, transferable, type Order, type Report } from '../../src/pool/protocol.ts';

type Run = Extract<Order, { type: 'run' }>;
type Listener = (value: unknown) => void;

/** A kind of work whose answers show that it was done, and under which keys. */
export const echo: JobKind = {
  kind: 'echo',
  open: (_, secrets) => ({
    run: (job, input) => ({ job, key: secrets[0]?.[0], bytes: input?.length }),
    wipe: () => secrets.forEach((secret) => secret.fill(0)),
  }),
};

/** A worker in the likeness of those of Node. It says and does nothing by itself, unless it is {@link obedient}. */
export class FakeWorker {
  readonly orders: Order[] = [];
  /** How many jobs it has begun, if it is told when to end. */
  jobs = 0;
  readonly #listeners = new Map<string, Listener[]>();
  readonly #sessions = new Map<number, Handler>();
  #onOrder: (order: Order) => void = () => undefined;
  /** As Node's are from their start. */
  held = true;
  terminated = false;
  /** Thrown by `postMessage`, if it gives one. */
  refuse: (order: Order) => Error | undefined = () => undefined;

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }
  ref(): void {
    this.held = true;
  }
  unref(): void {
    this.held = false;
  }
  terminate(): Promise<void> {
    this.terminated = true;
    return Promise.resolve();
  }
  postMessage(message: { lanewise: Order }, transfer: readonly ArrayBuffer[]): void {
    const error = this.refuse(message.lanewise);
    if (error) throw error;
    const { lanewise: order } = structuredClone(message, { transfer: [...transfer] });
    this.orders.push(order);
    this.#onOrder(order);
  }

  emit(event: string, value?: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }
  /** Posts to the pool. */
  tell(report: Report): void {
    if (!this.terminated)
      this.emit('message', structuredClone({ lanewise: report }, { transfer: transferable(report) }));
  }
  hello(): void {
    this.tell({ type: 'hello', protocol: PROTOCOL });
  }
  /** Ends as a worker of Node does that has met with an error. */
  die(): void {
    this.emit('exit', 1);
  }
  ordersOf<Type extends Order['type']>(type: Type): Extract<Order, { type: Type }>[] {
    return this.orders.filter((order): order is Extract<Order, { type: Type }> => order.type === type);
  }

  /** Does an order. */
  obey(order: Order, kinds: readonly JobKind[] = [echo]): void {
    if (order.type === 'open')
      this.#sessions.set(
        order.session,
        kinds.find(({ kind }) => kind === order.kind)!.open(order.parameters, order.secrets),
      );
    else if (order.type === 'run') void this.#run(order);
    else if (order.type === 'close') this.#sessions.get(order.session)?.wipe();
    else if (order.type === 'ping') this.tell({ type: 'pong' });
    else this.tell({ type: 'bye' });
  }
  async #run({ session, task, job, input, output = input }: Run): Promise<void> {
    const answer: unknown = this.#sessions
      .get(session)
      ?.run(job, input, output, (progress) => this.tell({ type: 'progress', task, progress }));
    // Shared memory is not given back: it never left.
    const memory = output === undefined || answer === output || isShared(output) ? undefined : output;
    this.tell({
      type: 'done',
      task,
      answer: answer instanceof Promise ? await answer : answer,
      ...(memory && { memory }),
    });
  }

  /**
   * Says hello, and does every order in a turn of its own, except those that are held back.
   *
   * @param dies - Whether it ends in the midst of a job, and is told its number.
   */
  obedient({
    except = [],
    kinds,
    dies,
  }: { except?: Order['type'][]; kinds?: JobKind[]; dies?: (job: number) => boolean } = {}): this {
    this.#onOrder = (order) => {
      if (!except.includes(order.type))
        queueMicrotask(() => {
          if (this.terminated) return;
          if (order.type === 'run' && dies?.(++this.jobs)) {
            const { input, output = input } = order;
            output?.fill(0xdb, 0, output.length >> 1);
            this.die();
          } else this.obey(order, kinds);
        });
    };
    queueMicrotask(() => this.hello());
    return this;
  }
}

/** Lets all promises go on that need not wait for timers. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

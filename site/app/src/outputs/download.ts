/** Downloads by the service worker: it answers a request of the page with the bytes that the page makes, and the browser saves them. */
import { DOWNLOADS, type DownloadStart, type FromPort, type KeepAlive, type ToPort } from '../download-messages.ts';
import { make } from '../elements.ts';
import { Advice } from '../explain.ts';
import { nameOf, type Output, type Place } from './output.ts';

const ALIVE_MILLISECONDS = 5000;
/** A service worker may have to be started, on a slow phone. */
const PATIENCE_MILLISECONDS = 20_000;
/** Pieces are collected up to this size, so that there are fewer messages. */
const PIECE_BYTES = 2 ** 20;

const silence = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(
      () => reject(new Advice('The page cannot start a download. Load the page again, and try once more.')),
      PATIENCE_MILLISECONDS,
    );
  });

/** Begins a download of this name. */
export async function openDownload(controller: ServiceWorker, name: string, size: number | undefined): Promise<Output> {
  const { port1: port, port2 } = new MessageChannel();
  const id = `${Date.now()}-${Math.floor(Math.random() * 2 ** 32)}`;
  let wanted = 0;
  let failure: Error | undefined;
  let wake = (): void => undefined;
  let ready = (): void => undefined;
  const known = new Promise<void>((resolve) => (ready = resolve));
  port.onmessage = ({ data }: MessageEvent<FromPort>) => {
    if (data === 'ready') ready();
    else if (data === 'pull') wanted++;
    else failure = new DOMException('the download was stopped in the browser', 'AbortError');
    wake();
  };
  controller.postMessage({ kind: 'download', id, name, size } satisfies DownloadStart, [port2]);
  await Promise.race([known, silence()]);
  const frame = make('iframe', { src: `${DOWNLOADS}${id}`, hidden: true, title: 'Download' });
  document.body.append(frame);
  const alive = setInterval(() => controller.postMessage({ kind: 'alive' } satisfies KeepAlive), ALIVE_MILLISECONDS);

  const send = async (message: ToPort): Promise<void> => {
    while (wanted === 0 && failure === undefined) await new Promise<void>((resolve) => (wake = resolve));
    if (failure) throw failure;
    wanted--;
    port.postMessage(message, typeof message === 'string' ? [] : [message.buffer]);
  };
  const end = (): void => {
    clearInterval(alive);
    // The frame is the download: some browsers stop it with the frame.
    setTimeout(() => frame.remove(), 60_000);
  };
  let written = 0;
  let held: Uint8Array<ArrayBuffer>[] = [];
  let heldBytes = 0;
  const flush = async (): Promise<void> => {
    if (heldBytes === 0) return;
    const piece = new Uint8Array(heldBytes);
    let at = 0;
    for (const bytes of held) {
      piece.set(bytes, at);
      at += bytes.length;
    }
    held = [];
    heldBytes = 0;
    await send(piece);
  };
  return {
    async write(bytes) {
      written += bytes.length;
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes >= PIECE_BYTES) await flush();
    },
    async finish() {
      await flush();
      await send('end');
      end();
      return { note: 'Saved in your downloads', size: written };
    },
    discard() {
      if (!failure) port.postMessage('failed' satisfies ToPort);
      end();
      return Promise.resolve();
    },
  };
}

/** The place; undefined if there is no service worker. */
export function downloadPlace(): Place | undefined {
  const controller = navigator.serviceWorker?.controller;
  if (!controller) return undefined;
  return {
    description: 'to your downloads',
    releasesEarly: true,
    open: (path, size) => openDownload(controller, nameOf(path), size),
  };
}

/** The messages of downloads between the page and its service worker. */

/** The path of a download, from the folder of the app. */
export const DOWNLOADS = 'download/';

/** Announces a download, and brings the port of its content. */
export interface DownloadStart {
  readonly kind: 'download';
  readonly id: string;
  readonly name: string;
  readonly size: number | undefined;
}

/** Keeps the service worker running while a download lasts. */
export interface KeepAlive {
  readonly kind: 'alive';
}

/** Lets a new version take the place of the one that runs. */
export interface Activate {
  readonly kind: 'activate';
}

export type ToServiceWorker = DownloadStart | KeepAlive | Activate;

/** From the service worker: it knows of the download, wants a piece, or the person has stopped the download. */
export type FromPort = 'ready' | 'pull' | 'cancelled';
/** To the service worker: a piece, the end, or an end with an error. */
export type ToPort = Uint8Array<ArrayBuffer> | 'end' | 'failed';

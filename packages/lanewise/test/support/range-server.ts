/** A server of one object that knows ranges, and can be told to do it wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RangeRequest {
  readonly range: string;
  readonly headers: IncomingMessage['headers'];
}

export class RangeServer {
  object: Uint8Array = new Uint8Array(0);
  /** Of every response. */
  headers: Record<string, string> = {};
  /** Answers the request of this number, from 0, in another way. */
  answer: (number: number, request: RangeRequest, response: ServerResponse) => boolean = () => false;
  requests: RangeRequest[] = [];
  /** Responses that are under way. */
  unfinished = 0;
  readonly #server = createServer((incoming, response) => {
    const request = { range: incoming.headers.range!, headers: incoming.headers };
    const number = this.requests.push(request) - 1;
    this.unfinished++;
    response.on('close', () => this.unfinished--);
    for (const [name, value] of Object.entries(this.headers)) response.setHeader(name, value);
    if (incoming.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else if (!this.answer(number, request, response)) this.serve(response, request);
  });

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** As it should be. */
  reset(object: Uint8Array, headers: Record<string, string>): void {
    this.object = object;
    this.headers = headers;
    this.answer = () => false;
    this.requests = [];
  }

  /** Answers as RFC 9110 has it, for one range with both ends. */
  serve(response: ServerResponse, { range, headers }: RangeRequest): void {
    const { object } = this;
    const { etag, 'last-modified': modified } = this.headers;
    const match = headers['if-match'];
    const since = headers['if-unmodified-since'];
    const condition = headers['if-range'];
    const [first, last] = range.slice('bytes='.length).split('-').map(Number);
    const end = Math.min(last + 1, object.length);
    if ((match !== undefined && match !== etag) || (since !== undefined && since !== modified))
      response.writeHead(412).end();
    else if (condition !== undefined && condition !== etag && condition !== modified)
      response.writeHead(200).end(object);
    else if (first >= object.length) response.writeHead(416, { 'content-range': `bytes */${object.length}` }).end();
    else {
      response.writeHead(206, { 'content-range': `bytes ${first}-${end - 1}/${object.length}` });
      response.end(object.subarray(first, end));
    }
  }
}

/** In a frame or a worker: runs the file that the address names, and sends the result to the page. */
import './surroundings.ts';
import { askedFor } from './messages.ts';

const { file, surroundings } = askedFor(location.href);
const { runFile } = await import('./run-file.ts');
const result = await runFile(file, surroundings, (path) => import(path) as Promise<unknown>);
if ('document' in globalThis) parent.postMessage(result, origin);
else (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(result);

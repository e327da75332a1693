/** In workerd: runs the file that the request names. */
import './surroundings.ts';
import { askedFor } from './messages.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { file, surroundings } = askedFor(request.url);
    const { runFile } = await import('./run-file.ts');
    return Response.json(await runFile(file, surroundings, (path) => import(path) as Promise<unknown>));
  },
};

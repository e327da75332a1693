/** workerd, the runtime of Workers: the client is a module of a Worker, and a request runs the task. */
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { kernelModules } from '../kernel-modules.ts';
import type { Engine } from './engine.ts';
import { WORKERD } from '../../../runtimes/src/fetched.ts';
import { inWords, temporaryFolder } from '../../../runtimes/src/processes.ts';
import { foundBy } from './runtime.ts';
import { engineBy, hear } from './session.ts';
import { serveWorkers, type WorkerModule } from '../../../runtimes/src/workerd-server.ts';

/** Messages are lines of JSON. workerd compiles the WebAssembly modules, because a Worker must not. */
const handlerCode = (client: string, names: readonly string[]): string => `
import { run } from './${client}';
${names.map((_, i) => `import module${i} from './${i}.wasm';`).join('\n')}
const modules = { ${names.map((name, i) => `${JSON.stringify(name)}: module${i}`).join(', ')} };
export default {
  async fetch(request) {
    const task = await request.json();
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    const emit = (message) => void writer.write(encoder.encode(JSON.stringify(message) + '\\n'));
    run(task, emit, { modules }).then(() => writer.close());
    return new Response(readable);
  },
};
`;

async function modulesIn(folder: string, client: string): Promise<WorkerModule[]> {
  const kernels = Object.entries(await kernelModules());
  const handler = join(folder, 'handler.js');
  await writeFile(
    handler,
    handlerCode(
      basename(client),
      kernels.map(([name]) => name),
    ),
  );
  const modules: WorkerModule[] = [
    { name: 'handler.js', file: handler },
    { name: basename(client), file: client },
  ];
  for (const [i, [, bytes]] of kernels.entries()) {
    const file = join(folder, `${i}.wasm`);
    await writeFile(file, bytes);
    modules.push({ name: `${i}.wasm`, file, wasm: true });
  }
  return modules;
}

export const workerd: Engine = engineBy(
  {
    id: 'workerd',
    name: 'workerd',
    settings: {},
    remarks: [
      'A Worker compiles no WebAssembly at run time: users get the js engine here. Kernels are modules that were deployed with it.',
      'Its clock has steps of 1 ms; on Cloudflare it stands still while code runs.',
    ],
  },
  foundBy('workerd', { fetch: WORKERD }),
  (path, task, { client }) =>
    async (receive, over) => {
      const home = await temporaryFolder();
      try {
        const serving = await serveWorkers(path, [{ name: 'client', modules: await modulesIn(home.path, client) }]);
        try {
          const request = fetch(serving.urls.get('client')!, { method: 'POST', body: JSON.stringify(task) });
          const heard = request.then(
            async (response) => {
              if (response.ok && response.body) await hear(Readable.fromWeb(response.body as ReadableStream), receive);
              return `answered with status ${response.status}`;
            },
            // The reason is in the output of the process.
            () => serving.running.ended.then(inWords),
          );
          return (await Promise.race([over, heard, serving.running.ended.then(inWords)])) ?? 'was ended';
        } finally {
          await serving.stop();
        }
      } finally {
        await home.remove();
      }
    },
);

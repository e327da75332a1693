/** WebKitGTK, in the small browser that comes with it. It is not Safari: another processor and another policy of its JIT. */
import type { Browser } from './browsers.ts';

const folders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec', '/usr/lib'];
const versions = ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'];

/**
 * JavaScriptCore leaves the bounds of linear memory to traps in the first few memories of a process only, and checks them
 * by instructions in all others. The contestants of the lab share a process: with so many memories, each of them is as
 * fast as it is alone.
 */
export const FAST_MEMORIES = '64';
export const FAST_MEMORIES_REMARK =
  'JavaScriptCore leaves the bounds of linear memory to traps in the first few memories of a process only; in all others it checks them by instructions, which halves the speed of vectors. The limit is raised here, so that each library is as fast as it is alone in a process.';

export const webkit: Browser = {
  id: 'webkit',
  name: 'WebKitGTK',
  candidates: folders.flatMap((folder) => versions.map((version) => `${folder}/${version}/MiniBrowser`)),
  howToGet: 'apt-get install libwebkit2gtk-4.1-0 xvfb',
  needsDisplay: true,
  settings: { arguments: ['--private'] },
  remarks: ['WebKitGTK is not Safari: another platform, with another policy of compiling.'],
  program: (path, { url }) =>
    Promise.resolve({
      path,
      arguments: ['--private', url],
      environment: {
        GDK_BACKEND: 'x11',
        WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      },
    }),
};

/** Chromium by its own protocol, with a folder for downloads; and expressions for what a person does in the app. */
import { chromium } from '../../../packages/runtimes/src/chromium.ts';
import { withDevTools, type DevTools } from '../../../packages/runtimes/src/devtools.ts';
import { saving } from './browsers.ts';

export type { DevTools };

/** Opens a page in Chromium, and does some work with it. */
export const inChromium = (
  path: string,
  url: string,
  downloads: string,
  work: (page: DevTools) => Promise<void>,
): Promise<void> => withDevTools(saving(chromium, downloads), path, url, work);

/** An expression that chooses files in the page; they are expressions, too. */
export const choose = (...files: readonly string[]): string => `{
  const transfer = new DataTransfer();
  for (const file of [${files.join(', ')}]) transfer.items.add(file);
  const input = document.getElementById('file-input');
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}`;

/** An expression that clicks an element. */
export const click = (selector: string): string => `document.querySelector(${JSON.stringify(selector)}).click()`;

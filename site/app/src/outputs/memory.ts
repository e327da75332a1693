/** The memory of the page, for browsers that have nothing else, and small files only. */
import { Advice } from '../explain.ts';
import { sizeText } from '../units.ts';
import { nameOf, type Place, type Unsaved } from './output.ts';
import { saveFile } from './save-file.ts';

const MOST_BYTES = 256 * 1024 * 1024;
const TAKING_MILLISECONDS = 3000;

const tooLarge = (): Advice =>
  new Advice(
    `This browser offers no place for results above ${sizeText(MOST_BYTES)} here. Open the page at an https:// address, not in a private window, or use another browser.`,
  );

export const memoryPlace: Place = {
  description: 'to the memory of this page, from where you save it',
  open(path) {
    let pieces: Blob[] = [];
    let written = 0;
    return Promise.resolve({
      write(bytes) {
        written += bytes.length;
        if (written > MOST_BYTES) return Promise.reject(tooLarge());
        pieces.push(new Blob([bytes]));
        return Promise.resolve();
      },
      finish() {
        const file = new File(pieces, nameOf(path), { type: 'application/octet-stream' });
        const unsaved: Unsaved = {
          name: file.name,
          async save() {
            saveFile(file);
            // No browser tells when it has taken the file.
            await new Promise((resolve) => setTimeout(resolve, TAKING_MILLISECONDS));
          },
          remove: () => Promise.resolve(),
        };
        return Promise.resolve({ note: 'Ready', size: written, unsaved });
      },
      discard() {
        pieces = [];
        return Promise.resolve();
      },
    });
  },
};

// The rooms of known answers, found by folder: a new primitive adds `rooms/x/` and edits nothing.
import { existsSync, readdirSync } from 'node:fs';

const folder = new URL('rooms/', import.meta.url);

/** The modules that rooms have by this name, in the order of the rooms' names. */
export const fromRooms = (name) =>
  Promise.all(
    readdirSync(folder)
      .sort()
      .map((room) => new URL(`${room}/${name}`, folder))
      .filter((url) => existsSync(url))
      .map((url) => import(url.href)),
  );

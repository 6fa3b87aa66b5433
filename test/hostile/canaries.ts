import { copyFile, lstat, mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathsBelow } from '../support/folders.ts';
import type { HarmfulFiles } from './harmful-files.ts';
import { startListeners } from './listeners.ts';

/** Files, folders and listeners that no conversion may touch. Each set is separate from all others. */
export interface Canaries {
  /** A media root with `movie.mp4`, which requests name, siblings, which they do not, and `out/`. */
  readonly root: string;
  /** Files outside of the media root: a movie, its transport stream, and subtitles with `SECRET`. */
  readonly movie: string;
  readonly stream: string;
  readonly text: string;
  /** A library that creates a file next to itself when it is loaded. */
  readonly library: string;
  /** An empty folder outside of the media root. */
  readonly folder: string;
  /** `host:port` of TCP and UDP listeners, and the path of a Unix socket. */
  readonly listener: string;
  readonly socket: string;
  /** What was touched since the canaries were placed, in words. */
  touched(): Promise<readonly string[]>;
  /** Closes the listeners. */
  close(): void;
}

export const SECRET = 'the-secret-that-must-not-leak';

/** Older than the files, so that Linux updates it at the first read even with `relatime`. */
const NEVER_READ = new Date('2001-01-01T00:00:00Z');

/**
 * @param dir An empty folder, with symlinks resolved.
 * @param files The files to copy.
 * @param extraFiles More files of the media root: name → content.
 */
export async function placeCanaries(
  dir: string,
  files: HarmfulFiles,
  extraFiles: (canaries: Canaries) => Readonly<Record<string, string>> = () => ({}),
): Promise<Canaries> {
  const [root, outside] = [join(dir, 'media'), join(dir, 'host')];
  const folder = join(outside, 'untouched');
  await Promise.all([mkdir(join(root, 'out'), { recursive: true }), mkdir(folder, { recursive: true })]);
  const text = `1\n00:00:00,000 --> 00:00:09,000\n${SECRET}\n`;
  const paths = {
    movie: join(outside, 'private.mp4'),
    stream: join(outside, 'private.ts'),
    text: join(outside, 'private.srt'),
    sibling: join(root, 'sibling.ts'),
    siblingText: join(root, 'sibling.srt'),
  };
  const library = join(outside, 'plugin.so');
  await Promise.all([
    copyFile(files.movie, join(root, 'movie.mp4')),
    copyFile(files.movie, paths.movie),
    copyFile(files.stream, paths.stream),
    copyFile(files.stream, paths.sibling),
    writeFile(paths.text, text),
    writeFile(paths.siblingText, text),
    copyFile(files.library, library),
  ]);
  const socket = join(outside, 'socket');
  const listeners = await startListeners(socket);
  const unread = { ...paths, library };
  await Promise.all(Object.values(unread).map(async (file) => utimes(file, NEVER_READ, (await stat(file)).mtime)));
  const before = new Set<string>();
  const canaries: Canaries = {
    root,
    movie: paths.movie,
    stream: paths.stream,
    text: paths.text,
    library,
    folder,
    listener: listeners.address,
    socket,
    async touched() {
      const touches: string[] = [];
      for (const [name, file] of Object.entries(unread))
        if ((await stat(file)).atimeMs !== NEVER_READ.getTime()) touches.push(`${name} was read`);
      for (const name of await tree(dir))
        if (!before.has(name)) touches.push(name.includes('.so.loaded') ? 'library was loaded' : `${name} was written`);
      const connections = listeners.connections();
      if (connections > 0) touches.push(`${connections} connections were made`);
      return touches;
    },
    close: listeners.close,
  };
  for (const [name, content] of Object.entries(extraFiles(canaries))) await writeFile(join(root, name), content);
  for (const name of await tree(dir)) before.add(name);
  return canaries;
}

/** Matches outputs and scratch folders, which conversions may write. */
const CONVERSION_PATHS = /^media\/(?:out|\.telecine)(?:\/|$)/;

/** All paths below `dir`, except those of conversions. Files with their sizes. */
async function tree(dir: string): Promise<string[]> {
  const names = (await pathsBelow(dir)).filter((name) => !CONVERSION_PATHS.test(name));
  return Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const found = await lstat(path);
      return found.isFile() ? `${path} (${found.size} bytes)` : path;
    }),
  );
}

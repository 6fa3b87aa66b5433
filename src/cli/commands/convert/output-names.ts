import { basename, dirname, join } from 'node:path';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

/** A folder in the media root for one command, so that commands never share files. */
export const newUploadFolder = (): string => `cli/${crypto.randomUUID()}`;

/** Longest part of a name in bytes, so that it fits any disk with its prefix. */
const MAX_NAME_BYTES = 200;

/**
 * The name of an uploaded input: its own name without characters that have a meaning in filtergraphs, patterns or file
 * systems.
 */
export function uploadName(index: number, file: string): string {
  const plain = basename(file).replace(/[^\p{L}\p{M}\p{N} ._+&()-]/gu, '_');
  let name = plain;
  // Keep the end: the extension names the format.
  while (Buffer.byteLength(name) > MAX_NAME_BYTES) name = name.replace(/^./su, '');
  return `${index}-${name}`;
}

/** A local output: the folder of all its files, and the path in this folder, with the patterns that ffmpeg expands. */
export interface LocalOutput {
  readonly folder: string;
  readonly path: string;
}

/** `hls/v%v/index.m3u8` is `v%v/index.m3u8` in `hls`, because ffmpeg has to see the patterns. */
export function splitOutput(file: string): LocalOutput {
  let folder = dirname(file);
  let path = basename(file);
  while (folder.includes('%')) {
    path = `${basename(folder)}/${path}`;
    folder = dirname(folder);
  }
  return { folder, path };
}

/** The local path of an output. `base`: prefix of its path on the service. Throws if the path is outside `folder`. */
export function localPath(folder: string, base: string, path: string): string {
  const below = path.startsWith(base) ? path.slice(base.length) : '';
  if (below === '' || below.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new CommandFailed(
      EXIT.failed,
      'UNEXPECTED_OUTPUT',
      `The service reported an output outside of ${base}: ${path}`,
    );
  return join(folder, below);
}

/** Replaces `{0}`, `{1}`, … with the path of that input in the media root, for filters that read a file
 * (`subtitles={1}`). */
export const replacePlaceholders = (value: string, paths: readonly string[]): string =>
  // "%{pts}" belongs to ffmpeg.
  value.replace(/(?<!%)\{(\d+)\}/g, (whole, index: string) => paths[Number(index)] ?? whole);

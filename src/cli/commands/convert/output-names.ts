import { basename, dirname, join } from 'node:path';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

/** In the media root; one a command, so that two never meet. */
export const newUploadFolder = (): string => `cli/${crypto.randomUUID()}`;

/** Bytes that are left of a name, so that it fits any disk with what is put before it. */
const MOST_BYTES = 200;

/**
 * The name under which the service keeps the input of this index: close to its own, without what filtergraphs, patterns
 * or disks read as something else.
 */
export function uploadName(index: number, file: string): string {
  const plain = basename(file).replace(/[^\p{L}\p{M}\p{N} ._+&()-]/gu, '_');
  let kept = plain;
  // Its end is kept: the extension tells ffmpeg and people what it is.
  while (Buffer.byteLength(kept) > MOST_BYTES) kept = kept.replace(/^./su, '');
  return `${index}-${kept}`;
}

/** A local output, split: the folder that all its files go to, and the output's path in it, where patterns stay whole. */
export interface LocalOutput {
  readonly folder: string;
  readonly path: string;
}

/** `hls/v%v/index.m3u8` is `v%v/index.m3u8` in `hls`: what ffmpeg fills in, it must see. */
export function splitOutput(file: string): LocalOutput {
  let folder = dirname(file);
  let path = basename(file);
  while (folder.includes('%')) {
    path = `${basename(folder)}/${path}`;
    folder = dirname(folder);
  }
  return { folder, path };
}

/** Where an output goes here. `base`: what the service's paths of it begin with. Throws where it would go elsewhere. */
export function localPath(folder: string, base: string, path: string): string {
  const below = path.startsWith(base) ? path.slice(base.length) : '';
  if (below === '' || below.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new CommandFailed(
      EXIT.failed,
      'UNEXPECTED_OUTPUT',
      `The service names an output outside of ${base}: ${path}`,
    );
  return join(folder, below);
}

/** `{0}`, `{1}`: the path of that input in the media root, for filters that read a file (`subtitles={1}`). */
export const replacePlaceholders = (value: string, paths: readonly string[]): string =>
  // "%{pts}" and the like are ffmpeg's own.
  value.replace(/(?<!%)\{(\d+)\}/g, (whole, index: string) => paths[Number(index)] ?? whole);

import type { ConversionRequest, Parameters } from '@telecine/contract/domain/conversion.ts';
import { requestForFile } from '@telecine/contract/domain/each-file.ts';
import type { MediaStream } from '@telecine/contract/domain/media-info.ts';
import { folderOf, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Watch, WatchRequest } from '@telecine/contract/domain/watch.ts';

/** What a template can have of a file in addition to its name and path. */
export interface FileFacts {
  /** When it is submitted. */
  readonly at: Date;
  /** The frame size of its video as it is shown. undefined: the request does not have it, or the file has no video. */
  readonly frame?: { readonly width: number; readonly height: number } | undefined;
  /** Whether the outputs of an earlier version are replaced. */
  readonly replaces?: boolean;
}

/** Whether the request of a watch has the size of the video in a path, so that each file must be probed. */
export const needsFrame = (request: WatchRequest): boolean => /\{(?:width|height)\}/.test(JSON.stringify(request));

/** The size of a video as players show it: rotated, with square pixels. */
export function shownFrame(video: MediaStream | undefined): FileFacts['frame'] {
  const { width, height, rotationDegrees = 0, sampleAspectRatio = '1:1' } = video ?? {};
  if (width === undefined || height === undefined) return undefined;
  const [across = 1, down = 1] = sampleAspectRatio.split(':').map(Number);
  const ratio = across > 0 && down > 0 ? across / down : 1;
  const shown = { width: Math.round(width * ratio), height };
  return Math.abs(Math.round(rotationDegrees / 90)) % 2 === 1 ? { width: shown.height, height: shown.width } : shown;
}

/** The folders between the folder of a watch and a file, with a slash at the end, or ''. */
export const folderBelow = (folder: string, path: MediaPath): string => folderOf(path).slice(folder.length);

/** Returns the request for a file of a watch. */
export function requestForWatchedFile(
  { folder, request }: Pick<Watch, 'folder' | 'request'>,
  path: MediaPath,
  { at, frame, replaces = false }: FileFacts,
): ConversionRequest {
  const filled = requestForFile(request, path, {
    folder: folderBelow(folder, path),
    date: at.toISOString().slice(0, 10),
    width: String(frame?.width ?? 0),
    height: String(frame?.height ?? 0),
  });
  const { parameters, outputs = [] } = filled;
  const all: readonly (Parameters | undefined)[] = [parameters, ...outputs.map((one) => one.parameters)];
  // The outputs replace those of an earlier version, unless the request itself says whether they may.
  if (!replaces || all.some((one) => one?.['y'] !== undefined || one?.['n'] !== undefined)) return filled;
  return { ...filled, parameters: { ...parameters, y: 'true' } };
}

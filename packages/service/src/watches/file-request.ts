import type { ConversionRequest, Parameters } from '@telecine/contract/domain/conversion.ts';
import { requestForFile } from '@telecine/contract/domain/each-file.ts';
import type { MediaStream } from '@telecine/contract/domain/media-info.ts';
import { baseName, folderOf, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { WatchRequest, WatchSettings } from '@telecine/contract/domain/watch.ts';
import type { Frame, Round } from './watch-deps.ts';

/** What a template can have of a file in addition to its name and path. */
interface FileFacts {
  /** When it is submitted. */
  readonly at: Date;
  /** undefined: the request does not have it, or the file has no video. */
  readonly frame?: Frame | undefined;
  /** Whether the outputs of an earlier version are replaced. */
  readonly replaces?: boolean;
}

/** Whether the request of a watch has the size of the video in a path, so that each file must be probed. */
export const needsFrame = (request: WatchRequest): boolean => /\{(?:width|height)\}/.test(JSON.stringify(request));

/** The size of a video as players show it: rotated, with square pixels. */
export function shownFrame(video: MediaStream | undefined): Frame | undefined {
  const { width, height, rotationDegrees = 0, sampleAspectRatio = '1:1' } = video ?? {};
  if (width === undefined || height === undefined) return undefined;
  const [across = 1, down = 1] = sampleAspectRatio.split(':').map(Number);
  const ratio = across > 0 && down > 0 ? across / down : 1;
  const shown = { width: Math.round(width * ratio), height };
  return Math.abs(Math.round(rotationDegrees / 90)) % 2 === 1 ? { width: shown.height, height: shown.width } : shown;
}

/** The folders between the folder of a watch and a file, with a slash at the end, or ''. */
export const folderBelow = (folder: string, path: MediaPath): string => folderOf(path).slice(folder.length);

/** Fills the placeholders in the request of a watch. */
export function requestForWatchedFile(
  { folder, request }: Pick<WatchSettings, 'folder' | 'request'>,
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

/** Returns the request for a file. Throws INVALID_REQUEST, INPUT_INVALID and the errors of a probe. */
export async function fileRequest(
  { frameOf, now, caller, signal }: Pick<Round, 'frameOf' | 'now' | 'caller' | 'signal'>,
  watch: WatchSettings,
  path: MediaPath,
  replaces = false,
): Promise<ConversionRequest> {
  // ffmpeg would read other files, those that the counter stands for, and this one would be moved or deleted as converted.
  if (parseNumberedName(baseName(path)) !== undefined)
    throw new Problem('INVALID_REQUEST', `The name ${JSON.stringify(baseName(path))} stands for numbered images.`, {
      fix: 'Rename the file, without "%".',
    });
  const isSized = needsFrame(watch.request);
  const frame = isSized ? await frameOf(caller, path, signal) : undefined;
  if (isSized && frame === undefined)
    throw new Problem('INPUT_INVALID', `${JSON.stringify(path)} has no video for "{width}" or "{height}".`, {
      fix: 'Leave them out of "output", or choose patterns that only match videos.',
    });
  return requestForWatchedFile(watch, path, { at: now(), frame, replaces });
}

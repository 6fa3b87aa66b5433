import { orElse, sendValue } from '../../../domain/edit.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { OutputFiles } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import {
  cueCount,
  isWithinLimits,
  THUMBNAIL_TRACK,
  type ThumbnailTrack,
  trackName,
} from '../../../domain/thumbnail-track.ts';
import type { OutputTarget } from './output-target.ts';

const FIELD = '/thumbnailTrack';

/** Muxers of pictures that players show. */
const PICTURES: ReadonlySet<string> = new Set(['image2', 'webp', 'avif']);

/**
 * Adds the WebVTT file that the service writes beside a sheet of pictures to the files of an output. It names the sheet,
 * so it is published after it.
 */
export function withThumbnailTrack(
  target: OutputTarget,
  track: ThumbnailTrack,
): OutputTarget & Pick<OutputFiles, 'track'> {
  const name = trackName(target.logical.slice(target.logical.lastIndexOf('/') + 1) as MediaPath);
  return { ...target, names: [...target.names, [name]], manifest: name, track: { ...track, name } };
}

/** Checks that the output is one sheet that has a place for each cue. */
export function checkThumbnailTrack(
  track: ThumbnailTrack,
  { path, muxer, isSeries }: { readonly path: MediaPath; readonly muxer: string; readonly isSeries: boolean },
  errors: FieldError[],
): void {
  const cues = cueCount(track);
  const places = track.columns * track.rows;
  if (!PICTURES.has(muxer) || isSeries)
    errors.push({
      field: FIELD,
      code: 'NOT_A_SHEET',
      message: `"thumbnailTrack" describes one sheet of pictures, and "${path}" ${isSeries ? 'is several files' : 'is not a picture'}.`,
      fix: 'Send an output such as "sprites/film.jpg", with the filter "tile" and "frames:v": "1".',
    });
  else if (!isWithinLimits(track))
    errors.push({
      field: FIELD,
      code: 'OUT_OF_RANGE',
      message: `"thumbnailTrack" has ${JSON.stringify(track)}. Times are ${THUMBNAIL_TRACK.minSeconds} to ${THUMBNAIL_TRACK.maxSeconds} seconds, sides 1 to ${THUMBNAIL_TRACK.sides}, and pictures at most ${THUMBNAIL_TRACK.cues}.`,
      fix: 'Send other arguments of the recipe, or a "thumbnailTrack" within these limits.',
    });
  else if (cues > places)
    errors.push({
      field: FIELD,
      code: 'TOO_MANY',
      message: `The track has ${cues} pictures, and ${track.columns} columns of ${track.rows} rows have places for ${places}.`,
      fix: orElse(sendValue({ ...track, rows: Math.ceil(cues / track.columns) }), 'a greater "everySeconds"'),
    });
}

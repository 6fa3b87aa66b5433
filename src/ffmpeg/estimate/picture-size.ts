import { type EstimatedRange, rangeAround } from '../../domain/estimate.ts';
import { type CommandOptions, lastOf, ofStream } from './command.ts';
import { NoEstimate } from './link.ts';
import type { OutputStream } from './output-streams.ts';
import { PICTURE_ROWS } from './quality-rows.ts';

/** How far eight of ten pictures are from the rows, as a factor: a sky and a crowd differ as much. */
const PICTURE = 2.5;

/** Whether the sizes of single pictures from this encoder are estimated. */
export const isPictureEncoder = (encoder: string): boolean => Object.hasOwn(PICTURE_ROWS, encoder);

/** Estimates the bytes of pictures, and of animations that are series of pictures. Throws `NoEstimate` for other encoders. */
export function pictureBytes(streams: readonly OutputStream[], options: CommandOptions, muxer: string): EstimatedRange {
  const [stream] = streams;
  if (stream?.kind !== 'video') throw new NoEstimate('The output has no picture.');
  const row = PICTURE_ROWS[stream.encoder];
  if (row === undefined || stream.encoder === 'copy')
    throw new NoEstimate(`The sizes of pictures from the encoder "${stream.encoder}" are not estimated.`);
  const isSingle = muxer === 'image2' && lastOf(options, 'update') !== undefined;
  const frames = isSingle ? 1 : Math.max(1, Math.round(stream.seconds * stream.fps));
  const quality = Number(ofStream(options, 'q', 'v', stream.index) ?? Number.NaN);
  const steps = row.at === undefined || Number.isNaN(quality) ? 0 : Math.log2(Math.max(1, quality) / row.at);
  const bits = row.bitsPerPixel * 2 ** (steps * (row.perDoubling ?? 0)) * stream.width * stream.height * frames;
  return rangeAround(bits / 8, PICTURE);
}

import { type AvUse, type Catalogue, type CliOptionSide, componentOf, isCodecUse } from '../../catalogue/catalogue.ts';

/** Where an option stands in the argv. It decides whether an element of `inputs` may have the option. */
export type OptionSide =
  | 'global'
  | 'output'
  | 'input'
  /** An output option, unless an input sends it. */
  | 'either';

/** The side of an option of ffmpeg's own. */
export function cliOptionSide(place: Exclude<CliOptionSide, 'nowhere'>): OptionSide {
  return place === 'both' ? 'either' : place;
}

/**
 * Whether the help of the muxer is needed to tell an output option from an input option. It is for options that only
 * single muxers and demuxers accept: `loop`, `start_number`.
 */
const dependsOnMuxer = (uses: readonly AvUse[]): boolean =>
  uses.some(isDemuxerUse) && uses.some(isMuxerUse) && !uses.some((use) => use.encoding && !isMuxerUse(use));

const isContainerUse = (use: AvUse): boolean => use.owner === 'private' && !isCodecUse(use);
const isMuxerUse = (use: AvUse): boolean => use.encoding && isContainerUse(use);
const isDemuxerUse = (use: AvUse): boolean => use.decoding && isContainerUse(use);

/**
 * The side of an AVOption. What both sides accept is an output option. Where only single muxers and demuxers accept
 * the name, the selected muxer decides: `loop` belongs to the GIF muxer for a GIF, and to the image demuxer for an MP4.
 */
export function avOptionSide(
  name: string,
  uses: readonly AvUse[],
  catalogue: Catalogue,
  muxer: string | undefined,
): OptionSide {
  if (!uses.some((use) => use.encoding)) return 'input';
  if (!uses.some((use) => use.decoding)) return 'output';
  if (!dependsOnMuxer(uses)) return 'either';
  const options = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer)?.options;
  return options?.some((option) => option.name === name) === false ? 'input' : 'either';
}

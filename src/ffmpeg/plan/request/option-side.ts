import { type AvUse, type Catalogue, type CliOptionSide, componentOf, isCodecUse } from '../../catalogue/catalogue.ts';

/** The part of the argv to which an option belongs. It decides whether an element of `inputs` may have the option. */
export type OptionSide =
  | 'global'
  | 'output'
  | 'input'
  /** An output option, unless an element of `inputs` contains it. */
  | 'either';

/** Returns the side of one of ffmpeg's own options. */
export function cliOptionSide(place: Exclude<CliOptionSide, 'nowhere'>): OptionSide {
  return place === 'both' ? 'either' : place;
}

/**
 * Whether the help of the muxer is needed to distinguish an output option from an input option. That is so if only some
 * muxers and some demuxers accept the option: `loop`, `start_number`.
 */
const dependsOnMuxer = (uses: readonly AvUse[]): boolean =>
  uses.some(isDemuxerUse) && uses.some(isMuxerUse) && !uses.some((use) => use.encoding && !isMuxerUse(use));

const isContainerUse = (use: AvUse): boolean => use.owner === 'private' && !isCodecUse(use);
const isMuxerUse = (use: AvUse): boolean => use.encoding && isContainerUse(use);
const isDemuxerUse = (use: AvUse): boolean => use.decoding && isContainerUse(use);

/**
 * Returns the side of an AVOption. An option that both sides accept is an output option, unless an element of `inputs`
 * contains it. If only some muxers and some demuxers accept the name, the selected muxer decides: `loop` belongs to the
 * GIF muxer for a GIF, and to the image demuxer for an MP4.
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

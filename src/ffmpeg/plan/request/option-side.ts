import { type AvUse, type Catalogue, type CliOptionSide, componentOf, isCodecUse } from '../../catalogue/catalogue.ts';

/** Where an option stands in the argv, and whether an element of `inputs` may have it. */
export type OptionSide =
  | 'global'
  | 'output'
  | 'input'
  /** An output option, unless it is said on an input. */
  | 'either';

export function cliOptionSide(place: Exclude<CliOptionSide, 'nowhere'>): OptionSide {
  return place === 'both' ? 'either' : place;
}

/** Whether the muxer's own help is needed to tell an output option from an input option: `loop`, `start_number`. */
export const dependsOnMuxer = (uses: readonly AvUse[]): boolean =>
  uses.some(isDemuxers) && uses.some(isMuxers) && !uses.some((use) => use.encoding && !isMuxers(use));

const isContainers = (use: AvUse): boolean => use.owner === 'private' && !isCodecUse(use);
const isMuxers = (use: AvUse): boolean => use.encoding && isContainers(use);
const isDemuxers = (use: AvUse): boolean => use.decoding && isContainers(use);

/**
 * What both directions take is an output option. Where only single muxers and demuxers take the name, the
 * chosen muxer decides: `loop` is the GIF muxer's for a GIF, and the picture reader's for an MP4.
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
  const own = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer)?.options;
  return own?.some((option) => option.name === name) === false ? 'input' : 'either';
}

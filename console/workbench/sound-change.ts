import type { DryRun, MediaInfo } from '@telecine/client';

type Planned = NonNullable<NonNullable<DryRun['estimate']>['outputs'][number]['streams']>[number];

/** The usual layouts of these numbers of channels. */
const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

const layoutOf = (channels: number): string => LAYOUTS[channels] ?? `${channels}-channel`;

/**
 * Says that an output has another number of channels than its source: `5.1 sound becomes stereo`. undefined: it has not, or this is not known.
 * `streams`: the planned ones of the output. `source`: what is known of the only source.
 */
export function soundChange(
  streams: readonly Planned[] | undefined,
  source: Pick<MediaInfo, 'streams'> | undefined,
): string | undefined {
  const before = channelsOf(source?.streams);
  const after = channelsOf(streams);
  if (before === undefined || after === undefined || before === after) return undefined;
  return `${layoutOf(before)} sound becomes ${layoutOf(after)}`;
}

/** The number of channels of the sound. undefined: there is none, it is not known, or its tracks differ. */
function channelsOf(
  streams: readonly { readonly type: string; readonly channels?: number | undefined }[] = [],
): number | undefined {
  const [channels, ...others] = new Set(streams.flatMap((one) => (one.type === 'audio' ? [one.channels] : [])));
  return others.length === 0 ? channels : undefined;
}

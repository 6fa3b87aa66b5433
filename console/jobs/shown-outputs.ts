import type { Job } from '@telecine/client';
import { isStored } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';

type Output = NonNullable<Job['outputs']>[number];

/** The maximum number of files that a user can choose from. */
const MAX_SHOWN = 100;

/**
 * The outputs that can be shown as media. Those that the request names come first. If there is a playlist, its segments are omitted, because
 * the player finds them in the playlist.
 */
export function shownOutputs({
  outputs = [],
  output,
  requestedOutputs = [],
  parameters,
}: Pick<Job, 'outputs' | 'output' | 'requestedOutputs' | 'parameters'>): readonly Output[] {
  const named = new Set([output, ...requestedOutputs.map((one) => one.output)]);
  // The request names the master playlist in `master_pl_name` if `output` is a pattern for the playlists of the versions.
  const master = `/${parameters?.['master_pl_name']}`;
  const isNamed = ({ path }: Output) => named.has(path) || `/${path}`.endsWith(master);
  const hasPlaylist = outputs.some(({ path }) => /\.(?:m3u8|mpd)$/i.test(path));
  const media = outputs.filter(({ path, streams }) => mediaKind(path, streams) !== 'other');
  const others = media.filter((one) => !isNamed(one) && (!hasPlaylist || mediaKind(one.path) === 'hls'));
  return [...media.filter(isNamed), ...others].slice(0, MAX_SHOWN);
}

/** The inputs in the client's media root that can be shown as media, without repetitions. */
export function shownInputs({ input, inputs }: Pick<Job, 'input' | 'inputs'>): readonly string[] {
  const all = inputs ?? (input === undefined ? [] : [input]);
  const paths = all.map((one) => (typeof one === 'string' ? one : one.input));
  const isShown = (path: string | undefined): path is string =>
    path !== undefined && isStored(path) && !/[%*?]/.test(path) && mediaKind(path) !== 'other';
  return [...new Set(paths.filter(isShown))].slice(0, MAX_SHOWN);
}

import type { Job } from '@telecine/client';
import { masterPath } from '../../packages/contract/src/domain/conversion.ts';
import { isStored } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';

type Output = NonNullable<Job['outputs']>[number];

/** The maximum number of files that a user can choose from. */
const MAX_SHOWN = 100;

type Asked = Pick<Job, 'outputs' | 'output' | 'requestedOutputs' | 'parameters'>;

/**
 * The outputs that can be shown as media. Those that the request names come first. If there is a playlist, its segments are omitted, because
 * the player finds them in the playlist.
 */
export function shownOutputs(job: Asked): readonly Output[] {
  const { outputs = [] } = job;
  const isNamed = namedBy(job);
  const hasPlaylist = outputs.some(isPlaylist);
  const media = outputs.filter(({ path, streams }) => mediaKind(path, streams) !== 'other');
  const others = media.filter((one) => !isNamed(one) && (!hasPlaylist || mediaKind(one.path) === 'hls'));
  return [...media.filter(isNamed), ...others].slice(0, MAX_SHOWN);
}

/**
 * The outputs that a list shows at first, if there is a playlist: those that the request names. The other playlists and the segments are parts
 * of them. undefined: there is no playlist, or the request names none.
 */
export function wholeOutputs(job: Asked): readonly Output[] | undefined {
  const whole = shownOutputs(job).filter(namedBy(job));
  return whole.some(isPlaylist) ? whole : undefined;
}

/** The playlist of HLS by which a player begins. undefined: there is none, or the request does not name it. */
export const masterPlaylist = (job: Asked): Output | undefined =>
  wholeOutputs(job)?.find(({ path }) => mediaKind(path) === 'hls');

const isPlaylist = ({ path }: Output): boolean => /\.(?:m3u8|mpd)$/i.test(path);

function namedBy({ output, requestedOutputs = [], parameters }: Asked): (one: Output) => boolean {
  const requested: typeof requestedOutputs = output === undefined ? requestedOutputs : [{ output }];
  const named = requested.flatMap((one) => {
    const { master_pl_name: master } = { ...parameters, ...one.parameters };
    return [one.output, ...(typeof master === 'string' ? [masterPath(one.output, master)] : [])];
  });
  // A request may name a file from the root of the file system.
  return ({ path }) => named.some((one) => `/${one}`.endsWith(`/${path}`));
}

/** The inputs in the client's media root that can be shown as media, without repetitions. */
export function shownInputs({ input, inputs }: Pick<Job, 'input' | 'inputs'>): readonly string[] {
  const all = inputs ?? (input === undefined ? [] : [input]);
  const paths = all.map((one) => (typeof one === 'string' ? one : one.input));
  const isShown = (path: string | undefined): path is string =>
    path !== undefined && isStored(path) && !/[%*?]/.test(path) && mediaKind(path) !== 'other';
  return [...new Set(paths.filter(isShown))].slice(0, MAX_SHOWN);
}

import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { isWithoutIndex, LEAD_SECONDS } from '../../allowlist/containers.ts';
import { type FrameRate, framesIn } from '../../filtergraph/crossfades.ts';
import { type ArgvOption, hasKey, readTrim, serviceOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { Clip } from './clip.ts';

/**
 * A seek drops the frame that is on screen at the start of a part, if it began earlier. In a video of a constant rate, the next frame follows
 * at once. In a screen recording, a GIF or a slideshow it may be seconds later, and viewers see another picture. So a part that begins within
 * such a frame is read from the key frame before it, and filters cut it at its start, and repeat its last frame until its end.
 */
type HeldClip = Pick<Clip, 'input' | 'holdsStart' | 'seconds'> & Partial<Pick<Clip, 'media'>>;

/** The input of a clip, from the key frame before its start on if filters cut it. */
export function heldInput({ input, media, holdsStart }: HeldClip): ArgvInput {
  const { start = 0 } = readTrim(input.options);
  // Before an `ss` of the output, the filters read all frames.
  if (holdsStart !== true || start === 0) return input;
  const lead = media !== undefined && isWithoutIndex(media.format) ? Math.min(LEAD_SECONDS, start) : 0;
  const seek = start > lead ? [serviceOption('ss', [String(start - lead)])] : [];
  const options = input.options.filter(({ key }) => key !== 't' && key !== 'to' && (lead === 0 || key !== 'ss'));
  const early = lead === 0 ? [] : [...seek, serviceOption('itsoffset', [String(-lead)])];
  return { ...input, options: [serviceOption('noaccurate_seek', []), ...early, ...options] };
}

/** A copied part of a stream without an index, from the key frame before its start on, with the options of its output. */
export function fromKeyFrame(
  input: ArgvInput,
  media: Clip['media'],
  options: readonly ArgvOption[],
): { readonly inputs: readonly ArgvInput[]; readonly options: readonly ArgvOption[] } {
  const { start = 0 } = readTrim(input.options);
  const { keySeconds, format } = media ?? {};
  const isLate = keySeconds !== undefined && format !== undefined && isWithoutIndex(format);
  const early = isLate ? start - Math.max(0, keySeconds - (format.startSeconds ?? 0)) : 0;
  if (early <= 0) return { inputs: [input], options };
  const moved = input.options.map((one) => later(one, one.key === 'ss' ? -early : one.key === 't' ? early : 0));
  // Behind its own `ss`, the output counts `t` from there.
  const isCounted = (key: string): boolean => key === 'ss' || key === 'to' || (key === 't' && !hasKey(options, 'ss'));
  return {
    inputs: [{ ...input, options: moved }],
    options: options.map((one) => later(one, isCounted(one.key) ? early : 0)),
  };
}

/** The option of a time, moved by some seconds. */
function later(option: ArgvOption, seconds: number): ArgvOption {
  const time = parseDuration(option.values[0] ?? '');
  return seconds === 0 || time === undefined ? option : { ...option, values: [String(rounded(time + seconds, 6))] };
}

/**
 * The filters around an `fps` with `start_time=0`, which drops the frames before the start. Without a known end, the clip ends with its last
 * frame. Empty: the seek cuts the clip.
 */
export const heldVideo = ({ holdsStart, seconds }: HeldClip, rate: FrameRate) =>
  holdsStart === true
    ? {
        before: seconds === undefined ? '' : 'tpad=stop=-1:stop_mode=clone,',
        start: ':start_time=0',
        after: seconds === undefined ? '' : `,trim=end_frame=${Math.max(1, framesIn(seconds, rate))}`,
      }
    : { before: '', start: '', after: '' };

export const heldAudio = ({ holdsStart, seconds }: HeldClip): string =>
  holdsStart === true ? `atrim=start=0${seconds === undefined ? '' : `:end=${seconds}`},` : '';

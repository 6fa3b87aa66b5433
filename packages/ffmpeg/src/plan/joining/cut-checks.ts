import type { Cut } from '@telecine/contract/domain/cut.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { PlannedCut } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { hasKey, sentName } from '../request/argv-option.ts';
import { longCrossfade } from '../request/duration-field.ts';
import { canHave } from '../request/file-features.ts';
import { isImageExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { JoinContext } from './clip.ts';
import { ARRANGING } from './join-checks.ts';

type CutContext = Pick<JoinContext, 'options' | 'errors' | 'audioOnly'>;

/**
 * Checks a request with `cut` before its input is probed. Returns whether its parts are copied or encoded. undefined: `context.errors` has
 * the reason.
 */
export function checkCut(cut: Cut, inputs: readonly ArgvInput[], context: CutContext): PlannedCut['mode'] | undefined {
  const { errors } = context;
  const errorsBefore = errors.length;
  rejectOthers(cut, inputs, context);
  const mode = cutModeOf(context);
  const [input] = inputs;
  if (input === undefined || errors.length > errorsBefore) return undefined;
  if (mode === 'encode' || !canHave('noTimes', extension(input.source.path))) return mode;
  errors.push({
    field: '/cut',
    code: 'NEEDS_ENCODER',
    message: `${quoted(input.source.path)} is a video without a container, whose frames have no times, so its parts need an encoder instead of "copy".`,
  });
  return undefined;
}

/** Rejects what does not go with `cut`. */
function rejectOthers(cut: Cut, inputs: readonly ArgvInput[], { options, errors }: CutContext): void {
  const [input, ...others] = inputs;
  if (others.length > 0)
    errors.push({
      field: '/cut',
      code: 'EXCLUSIVE',
      message: `"cut" works on one input, but the request has ${inputs.length}. A second request with "after" can use the cut video.`,
    });
  if (input === undefined) return;
  const { source, made, duration, format } = input;
  const isStill = duration !== undefined || (isImageExtension(extension(source.path)) && !ANIMATED.test(source.path));
  if (made !== undefined || source.sequence !== undefined || isStill)
    errors.push({
      field: source.field,
      code: 'NOT_A_FILM',
      message: `"cut" needs a video or an audio file, but ${quoted(source.path)} is an image or a source.`,
    });
  if (format !== undefined)
    errors.push({
      field: `${source.field.replace(/\/input$/, '')}/parameters/f`,
      code: 'EXCLUSIVE',
      message: '"cut" probes the input first, which works only without "f".',
    });
  if (input.crossfade !== undefined)
    errors.push({
      field: input.crossfade.field,
      code: 'EXCLUSIVE',
      message:
        '"crossfade" of an input fades from the input before it, but a request with "cut" has one input. To fade between the parts, send "crossfade" in "cut".',
    });
  const timed = input.options.find(({ key }) => TIMING.has(key));
  if (timed !== undefined)
    errors.push({
      field: timed.field,
      code: 'EXCLUSIVE',
      message: `"cut" names times of the whole input, but "${sentName(timed)}" changes them.`,
    });
  const arranged = options.find(({ key, name }) => ARRANGING.has(name.name) || UNPLACED.test(key));
  if (arranged !== undefined)
    errors.push({
      field: arranged.field,
      code: 'EXCLUSIVE',
      message: `"${sentName(arranged)}" and "cut" both arrange the streams: a cut output has one video and one audio stream. "vf" and "af" filter them.`,
    });
  const tooLong = cut.crossfade === undefined ? undefined : longCrossfade(cut.crossfade, '/cut/crossfade');
  if (tooLong !== undefined) errors.push(tooLong);
}

const ANIMATED = /\.(?:gif|apng|webp)$/i;
const TIMING: ReadonlySet<string> = new Set(
  'ss sseof t to itsoffset itsscale stream_loop loop ignore_loop r re'.split(' '),
);
/** Matches filter options that cannot be applied after the cut. */
const UNPLACED = /^filter(?::|$)(?![vVa](?::0)?$)/;

/** Returns whether the parts are copied or encoded: what the request says for the video, or without video for the audio. */
function cutModeOf({ options, audioOnly, errors }: CutContext): PlannedCut['mode'] {
  const copies = options.filter(({ name, values }) => name.name === 'c' && values.includes('copy'));
  const isAudio = audioOnly || hasKey(options, 'vn');
  const audioCopy = copies.find(({ key }) => key.startsWith('c:a'));
  if (copies.some(({ key }) => key === 'c' || /^c:[vV]/.test(key)) || (isAudio && audioCopy !== undefined))
    return 'copy';
  if (audioCopy !== undefined)
    errors.push({
      field: audioCopy.field,
      code: 'NEEDS_ENCODER',
      message: `"${sentName(audioCopy)}": "copy" copies packets, but the video is cut at frames, so they would not fit together. "c": "copy" cuts both at key frames.`,
    });
  return 'encode';
}

/** The error for a cut of joined inputs. The schema cannot reject it, because `join` can also come from a recipe. */
export const CUT_OF_JOIN: FieldError = {
  field: '/cut',
  code: 'EXCLUSIVE',
  message:
    '"cut" works on one input, but the request joins several. "ss" and "to" in the "parameters" of an input select a part of it.',
};

import type { Cut, CutRange } from '@telecine/contract/domain/cut.ts';
import { leaveOut, orElse, sendIn, sendMember, withMore } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { PlannedCut } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { hasKey, sentName } from '../request/argv-option.ts';
import { longCrossfade } from '../request/duration-field.ts';
import { isImageExtension } from '../request/format-names.ts';
import type { ParsedInput } from '../request/parse-request.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { JoinContext } from './clip.ts';
import { ARRANGING } from './join-checks.ts';

/** Checks a request with `cut`. Appends its errors. */
export function checkCut(cut: Cut, inputs: readonly ArgvInput[], { options, errors }: JoinContext): void {
  const [input, ...others] = inputs;
  if (others.length > 0)
    errors.push({
      field: '/cut',
      code: 'EXCLUSIVE',
      message: `"cut" works on one input, but the request has ${inputs.length}.`,
      fix: 'Cut the video with a request of its own. Send the other request with "after" and the cut video among its "inputs".',
    });
  if (input === undefined) return;
  const { source, made, duration, format } = input;
  const isStill = duration !== undefined || (isImageExtension(extension(source.path)) && !ANIMATED.test(source.path));
  if (made !== undefined || source.sequence !== undefined || isStill)
    errors.push({
      field: source.field,
      code: 'NOT_A_FILM',
      message: `"cut" needs a video or an audio file, but ${quoted(source.path)} is an image or a source.`,
      fix: leaveOut('cut'),
    });
  if (format !== undefined)
    errors.push({
      field: `${source.field.replace(/\/input$/, '')}/parameters/f`,
      code: 'EXCLUSIVE',
      message: '"cut" probes the input first, which works only without "f".',
      fix: orElse(
        leaveOut('f'),
        `convert ${quoted(source.path)} to "film.mkv" with a request of its own, and cut that one with "after"`,
      ),
    });
  if (input.crossfade !== undefined) errors.push(fadeOfInput(cut, input.crossfade));
  const timed = input.options.find(({ key }) => TIMING.has(key));
  if (timed !== undefined)
    errors.push({
      field: timed.field,
      code: 'EXCLUSIVE',
      message: `"cut" names times of the whole input, but "${sentName(timed)}" changes them.`,
      fix: `Leave "${sentName(timed)}" out, and send "cut": {"keep": [{"start": 10, "end": 20}]}.`,
    });
  const arranged = options.find(({ key, name }) => ARRANGING.has(name.name) || UNPLACED.test(key));
  if (arranged !== undefined)
    errors.push({
      field: arranged.field,
      code: 'EXCLUSIVE',
      message: `"${sentName(arranged)}" and "cut" both arrange the streams: a cut output has one video and one audio stream.`,
      fix: {
        ...orElse(leaveOut(sentName(arranged)), 'cut first, and send a second request with "after"'),
        note: 'Send filters for the cut video in "vf" and "af".',
      },
    });
  const tooLong = cut.crossfade === undefined ? undefined : longCrossfade(cut.crossfade, '/cut/crossfade');
  if (tooLong !== undefined) errors.push(tooLong);
}

/** The error for a `crossfade` of the input: a cut uses only the `crossfade` in `cut`. */
function fadeOfInput(cut: Cut, { seconds, field }: NonNullable<ArgvInput['crossfade']>): FieldError {
  const meant = { ...cut, crossfade: cut.crossfade ?? seconds };
  return {
    field,
    code: 'EXCLUSIVE',
    message:
      '"crossfade" of an input fades from the input before it, but a request with "cut" has one input. To fade between the parts, send "crossfade" in "cut".',
    fix:
      JSON.stringify(meant).length > MAX_REPEATED
        ? `Leave "crossfade" out here, and send "cut": {…, "crossfade": ${seconds}}.`
        : withMore(sendIn('request', 'cut', meant), { do: 'remove', name: 'crossfade' }),
  };
}

/** The maximum length of a cut that a fix repeats, in characters. */
const MAX_REPEATED = 400;

const ANIMATED = /\.(?:gif|apng|webp)$/i;
const TIMING: ReadonlySet<string> = new Set(
  'ss sseof t to itsoffset itsscale stream_loop loop ignore_loop r re'.split(' '),
);
/** Matches filter options that cannot be applied after the cut. */
const UNPLACED = /^filter(?::|$)(?![vVa](?::0)?$)/;

/** Returns whether the parts are copied or encoded: what the request says for the video, or without video for the audio. */
export function cutModeOf({ options, audioOnly, errors }: JoinContext): PlannedCut['mode'] {
  const copies = options.filter(({ name, values }) => name.name === 'c' && values.includes('copy'));
  const isAudio = audioOnly || hasKey(options, 'vn');
  const audioCopy = copies.find(({ key }) => key.startsWith('c:a'));
  if (copies.some(({ key }) => key === 'c' || /^c:[vV]/.test(key)) || (isAudio && audioCopy !== undefined))
    return 'copy';
  if (audioCopy !== undefined)
    errors.push({
      field: audioCopy.field,
      code: 'NEEDS_ENCODER',
      message: `"${sentName(audioCopy)}": "copy" copies packets, but the video is cut at frames, so they would not fit together.`,
      fix: 'Send an encoder such as "aac", or "c": "copy", which cuts both at key frames.',
    });
  return 'encode';
}

/** The error for a cut of joined inputs. The schema cannot reject it, because `join` can also come from a recipe. */
export function cutOfJoin({ keep, crossfade }: Cut, inputs: readonly ParsedInput[]): FieldError {
  const ranges: readonly CutRange[] = keep !== undefined && !('scenes' in keep) ? keep : [];
  const parts = inputs.flatMap((input, at) => {
    const { start, end } = ranges.length === 1 ? (ranges[0] ?? {}) : (ranges[at] ?? {});
    const times = { ...(start !== undefined && { ss: String(start) }), ...(end !== undefined && { to: String(end) }) };
    return isPathAlone(input) ? [{ input: input.text, parameters: times }] : [];
  });
  // The fix moves the ranges to the inputs. There is none if the cut has a crossfade, which would be lost.
  const isWhole = parts.length === inputs.length && crossfade === undefined;
  const isOfEach = isWhole && ranges.length === inputs.length;
  const isOfAll = isWhole && ranges.length === 1;
  return {
    field: '/cut',
    code: 'EXCLUSIVE',
    message: `"cut" works on one input, but the request joins several.${ranges.length === 1 ? ' For a part of the joined video, send "ss" and "to" in "parameters".' : ''}`,
    fix: isOfAll
      ? withMore(sendMember('inputs', parts), { do: 'remove', name: 'cut' })
      : isOfEach
        ? `If each part is of one input, in this order, send "inputs": ${JSON.stringify(parts)}, and leave "cut" out.`
        : 'For parts of inputs that are joined, send "ss" and "to" in the "parameters" of each.',
  };
}

/** True if the client sent nothing but a path for an input. */
const isPathAlone = ({ url, source, options, duration, crossfade }: ParsedInput): boolean =>
  options.length === 0 && [url, source, duration, crossfade].every((one) => one === undefined);

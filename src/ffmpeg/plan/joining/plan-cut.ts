import { type Cut, isMeasured, measuredBy } from '../../../domain/cut.ts';
import { sendMember } from '../../../domain/edit.ts';
import type { PlannedCut, Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { readClip } from './clip.ts';
import { copyParts } from './copied-parts.ts';
import { checkCut, cutModeOf } from './cut-checks.ts';
import { readRanges } from './cut-ranges.ts';
import { encodeParts } from './encoded-parts.ts';
import type { JoinedStreams, JoinFacts } from './plan-join.ts';

/** The inputs and options for ffmpeg that replace those of the request. */
export interface CutStreams extends Omit<JoinedStreams, 'join'> {
  readonly cut: PlannedCut;
}

/** Plans how parts of the input become the output. Returns undefined if `errors` has errors then. */
export function planCut(
  cut: Cut,
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  facts: JoinFacts,
  errors: FieldError[],
): CutStreams | undefined {
  const errorsBefore = errors.length;
  const [input] = inputs;
  checkCut(cut, inputs, options, errors);
  const mode = cutModeOf(options, facts, errors);
  if (input === undefined || errors.length > errorsBefore) return undefined;
  const media = facts.mediaOf(input);
  const clip = readClip(input, media);
  const warnings: Warning[] = [];
  const measured = media?.measured;
  const seconds = media === undefined ? undefined : clip.seconds;
  const ranges = readRanges(cut, { path: input.source.path, seconds, measured }, errors, warnings);
  if (ranges === undefined) return undefined;
  if (measured?.length === 0 && isMeasured(cut.remove)) warnings.push(nothingMeasured(cut));
  const measure = measuredBy(cut);
  if (seconds !== undefined) warnings.push(...longerThanInput(cut, input.source.path, seconds));
  const planned: PlannedCut = {
    mode,
    clips: [facts.indexOf(input)],
    // What copies need is known only when their parts are.
    starts:
      mode === 'copy' && (measure === undefined || measured !== undefined) ? ranges.map(({ start }) => start) : [0],
    isAssumed: media === undefined || (measure !== undefined && measured === undefined),
    ...(measure && { measure }),
  };
  const all = { ranges, clip, warnings };
  const streams =
    mode === 'copy' ? copyParts(all, options, cut, errors) : encodeParts(all, options, cut, facts, errors);
  return streams === undefined || errors.length > errorsBefore ? undefined : { ...streams, cut: planned };
}

/** A cut that is at least this long, and longer than the input, was probably sent in milliseconds. */
const MILLISECONDS = 100;

/** Warns of parts to remove that must be longer than the input, because their length is in milliseconds. */
function longerThanInput({ remove }: Cut, path: string, seconds: number): readonly Warning[] {
  const settings = isMeasured(remove) ? Object.entries(remove) : [];
  return settings.flatMap(([name, value]) => {
    const least = typeof value === 'object' && 'minSeconds' in value ? Number(value.minSeconds) : 0;
    if (least <= seconds || least < MILLISECONDS) return [];
    return [
      {
        field: `/cut/remove/${name}/minSeconds`,
        code: 'NOTHING_REMOVED',
        message: `"minSeconds" is ${least} s, and ${quoted(path)} lasts only ${Number(seconds.toFixed(3))} s, so nothing is removed.`,
        fix: sendMember('minSeconds', least / 1000),
      },
    ];
  });
}

function nothingMeasured({ remove }: Cut): Warning {
  const what = isMeasured(remove) ? Object.keys(remove).find((name) => name !== 'marginSeconds') : '';
  return {
    field: '/cut/remove',
    code: 'NOTHING_REMOVED',
    message: `No ${what} was found in the input, so nothing is removed.`,
    fix:
      what === 'black'
        ? 'Send a shorter "minSeconds", or a higher "pixel".'
        : 'Send a shorter "minSeconds", or a higher "noiseDb".',
  };
}

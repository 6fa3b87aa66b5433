import { CUT_LIMITS, type Cut, isMeasured, measuredBy } from '@telecine/contract/domain/cut.ts';
import type { PlannedCut, ProbedInput, Warning } from '@telecine/contract/domain/plan.ts';
import { hasKey, readTrim, sentName, serviceOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { type Clip, type JoinContext, readClip } from './clip.ts';
import { type CutParts, readRanges } from './cut-ranges.ts';
import { encodeParts } from './encoded-parts.ts';
import { concatList, type JoinedStreams, listInput, NOTICEABLE } from './plan-join.ts';

/** The inputs and options with which ffmpeg cuts the input, instead of those of the request. */
export interface CutStreams extends Omit<JoinedStreams, 'join'> {
  readonly cut: PlannedCut;
}

/** Plans how parts of an input, which `checkCut` allows, become the output. undefined: `context.errors` has the reason. */
export function planCut(
  cut: Cut,
  mode: PlannedCut['mode'],
  [input]: readonly ArgvInput[],
  context: JoinContext,
): CutStreams | undefined {
  const { errors } = context;
  const errorsBefore = errors.length;
  if (input === undefined) return undefined;
  const media = context.mediaOf(input);
  const clip = readClip(input, media);
  const warnings: Warning[] = [];
  const measured = media?.measured;
  const seconds = media === undefined ? undefined : clip.seconds;
  const ranges = readRanges(cut, { path: input.source.path, seconds, measured, errors, warnings });
  if (ranges === undefined) return undefined;
  if (measured?.length === 0 && isMeasured(cut.remove)) warnings.push(nothingMeasured(cut));
  const measure = measuredBy(cut);
  const isMeasuredLater = measure !== undefined && measured === undefined;
  const planned: PlannedCut = {
    mode,
    starts: mode === 'copy' && !isMeasuredLater ? ranges.map(({ start }) => start) : [],
    isAssumed: media === undefined || isMeasuredLater,
    ...(measure && { measure }),
  };
  const all = { ranges, clip, warnings };
  const streams = mode === 'copy' ? copyParts(all, cut, context) : encodeParts(all, cut, context);
  return streams === undefined || errors.length > errorsBefore ? undefined : { ...streams, cut: planned };
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

/** Plans copied parts. Each starts at the key frame at or before its requested start. Parts that then overlap become one. */
function copyParts(
  { ranges, clip, warnings }: CutParts,
  { crossfade }: Cut,
  { options, errors }: JoinContext,
): Omit<JoinedStreams, 'join'> {
  const copies = options.filter(({ name, values }) => name.name === 'c' && values.includes('copy'));
  for (const copy of crossfade === undefined ? [] : copies)
    errors.push({
      field: copy.field,
      code: 'NEEDS_ENCODER',
      message: `"crossfade" needs decoded streams, but "${sentName(copy)}": "copy" copies them.`,
    });
  if (ranges.length > CUT_LIMITS.copiedRanges)
    errors.push({
      field: '/cut',
      code: 'TOO_MANY',
      message: `The output has ${ranges.length} parts; without encoding, at most ${CUT_LIMITS.copiedRanges} are allowed.`,
    });
  const { input, media } = clip;
  const offset = media?.format.startSeconds ?? 0;
  const parts: { start: number; end?: number; key?: number }[] = [];
  const early: { asked: number; begin: number }[] = [];
  for (const [index, { start, end }] of ranges.entries()) {
    const key = media?.keys?.[index];
    const begin = key === undefined ? start : Math.max(0, key - offset);
    const before = parts.at(-1);
    if (begin < start - NOTICEABLE) early.push({ asked: start, begin: Math.max(begin, before?.end ?? 0) });
    if (before?.end !== undefined && begin <= before.end) {
      delete before.end;
      if (end !== undefined) before.end = end;
    } else parts.push({ start, ...(end !== undefined && { end }), ...(key !== undefined && { key }) });
  }
  const clips = parts.map(({ start, end, key }): Clip => {
    const trim = [
      ...(start === 0 ? [] : [serviceOption('ss', [`${start}`])]),
      ...(end === undefined ? [] : [serviceOption('to', [`${end}`])]),
    ];
    const known: ProbedInput | undefined = media && { ...media, ...(key !== undefined && { keySeconds: key }) };
    return { ...readClip({ ...input, options: trim }, known) };
  });
  const lengths = parts.map(({ start, end = media?.format.durationSeconds, key }) =>
    end === undefined ? undefined : end - (key === undefined ? start : Math.max(0, key - offset)),
  );
  const joined = lengths.every((one) => one !== undefined)
    ? lengths.reduce<number>((sum, one = 0) => sum + one, 0)
    : undefined;
  return {
    inputs: [listInput([input])],
    options: [...options, ...(hasKey(options, 'map_chapters') ? [] : [serviceOption('map_chapters', ['-1'])])],
    span: { inputs: [{}], output: readTrim(options), shortest: false, ...(joined !== undefined && { joined }) },
    texts: [concatList(clips)],
    warnings: [...warnings, ...(isWhole(parts, ranges, media) ? [NOTHING_CUT] : earlyParts(early))],
  };
}

/** The maximum number of parts that a warning names. */
const MAX_NAMED = 5;

/** True if copied parts are the whole input, although the request leaves some of it out. */
function isWhole(
  parts: readonly { readonly start: number; readonly end?: number; readonly key?: number }[],
  ranges: CutParts['ranges'],
  media: ProbedInput | undefined,
): boolean {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0 || only.end !== undefined) return false;
  const begin = only.key === undefined ? only.start : only.key - (media?.format.startSeconds ?? 0);
  return begin < NOTICEABLE && (ranges.length > 1 || (ranges[0]?.start ?? 0) >= NOTICEABLE);
}

const NOTHING_CUT: Warning = {
  field: '/cut',
  code: 'NOTHING_REMOVED',
  message:
    'A copy begins at a key frame, but the input has no key frame where parts begin, so the output would be the whole input.',
  fix: 'Leave "c": "copy" out, which cuts at each frame.',
};

/** Warns about copied parts that start earlier than requested. */
function earlyParts(early: readonly { readonly asked: number; readonly begin: number }[]): readonly Warning[] {
  if (early.length === 0) return [];
  const named = early
    .slice(0, MAX_NAMED)
    .map(({ asked, begin }) => `${Number(begin.toFixed(2))} s instead of ${Number(asked.toFixed(2))} s`);
  const more = early.length > MAX_NAMED ? ` and ${early.length - MAX_NAMED} more` : '';
  return [
    {
      field: '/cut',
      code: 'EARLIER_START',
      message: `Copies begin at a key frame, so parts begin at ${named.join(', ')}${more}.`,
      fix: 'Leave "c": "copy" out, which cuts at each frame.',
    },
  ];
}

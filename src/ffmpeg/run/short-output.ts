import { type Edits, orElse, sendOption } from '../../domain/edit.ts';
import type { InputReport } from '../log/report.ts';
import { isMilliseconds } from '../values/duration.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { type MediaFacts, secondsText } from './media-facts.ts';
import type { OptionFacts } from './option-facts.ts';
import { expectedSeconds, requestedSeconds } from './output-duration.ts';
import { cutBySize, largeOutput } from './size-limit.ts';

/** Where a request says where its output ends. */
const END = '/parameters/to';

const SECONDS = 'times are in seconds';

/** An output may lack this part, for example because the sound of a film ends earlier than its picture. */
const TOLERANCE = 0.05;
const TOLERANCE_SECONDS = 0.5;

/** An output that is shorter than the request or the inputs say, or that is whole and larger than `fs` asks. */
export function shortOutput(facts: MediaFacts, pass: FinishedPass, options: OptionFacts): readonly RunWarning[] {
  const { plan, writtenSeconds } = pass;
  if (writtenSeconds === undefined || options.changesDuration) return [];
  const [only = {}, ...others] = plan.span.inputs;
  const asked = requestedSeconds(plan.span.output) ?? (others.length === 0 ? requestedSeconds(only) : undefined);
  const wanted = asked ?? expectedOfUsed(pass);
  if (wanted === undefined) return [];
  if (wanted - writtenSeconds <= Math.max(TOLERANCE_SECONDS, wanted * TOLERANCE))
    return options.has('fs') ? largeOutput(facts, pass, wanted) : [];
  // The plan has said that this end is probably not meant, and which one is.
  if (asked !== undefined && plan.warnings.some(({ field, code }) => code === 'UNUSUAL_VALUE' && field === END))
    return [];
  if (options.has('fs')) return [cutBySize(facts, pass, writtenSeconds, wanted)];
  return [
    {
      code: 'SHORT_OUTPUT',
      message:
        asked === undefined
          ? `The output has ${secondsText(writtenSeconds)}, but the input has ${secondsText(wanted)}: it is probably cut off, or damaged.`
          : `The output has ${secondsText(writtenSeconds)}, but the request asks for ${secondsText(wanted)}: the input ends before.`,
      fix:
        asked === undefined
          ? 'Send the complete file again: a file that was copied or downloaded in part ends before its header says.'
          : endFix(facts, asked, writtenSeconds),
    },
  ];
}

/** The fix for a duration that an input does not have. It may be in milliseconds: 5000 for a film of 30 s. */
function endFix({ argv, plan: { span } }: MediaFacts, asked: number, written: number): Edits {
  const [input] = span.inputs;
  const cut = requestedSeconds(span.output) === undefined ? (input ?? {}) : span.output;
  const isMeant = cut.start === undefined && isMilliseconds(asked) && asked / 1000 < written;
  const whole: Edits = {
    edits: ['t', 'to'].filter((name) => argv.includes(`-${name}`)).map((name) => ({ do: 'remove', name })),
    why: 'then the output ends with the input',
  };
  return isMeant
    ? orElse({ ...sendOption(cut.duration === undefined ? 'to' : 't', `${asked / 1000}`), why: SECONDS }, whole)
    : whole;
}

/** The expected duration in seconds, from the streams that are read and from the trim options. */
function expectedOfUsed({
  plan: { inputs, span },
  inputs: reports,
  used,
  complaints,
}: FinishedPass): number | undefined {
  const numbers = new Set(used.map(({ input }) => input));
  const isUsed = (_one: unknown, index: number): boolean => numbers.has(index);
  const plan = { inputs: inputs.filter(isUsed), span: { ...span, inputs: span.inputs.filter(isUsed) } };
  const streamsOf = (number: number) => used.filter(({ input }) => input === number).map(({ stream }) => stream);
  const known = reports.map((report, number) => withUsedSeconds(report, streamsOf(number), complaints.readErrors > 0));
  return expectedSeconds(plan, known.filter(isUsed));
}

const KINDS: ReadonlySet<string> = new Set(['video', 'audio', 'subtitle']);

/**
 * The report with the duration of the streams that are read. That of the file is that of its longest stream, which may be
 * one that is not read, such as subtitles. If their durations are unknown, so is theirs, unless the file is damaged.
 */
function withUsedSeconds(report: InputReport, used: readonly number[], isDamaged: boolean): InputReport {
  const isWhole = report.streams.every(({ index, type }) => used.includes(index) || !KINDS.has(type));
  if (isWhole || report.durationSeconds === undefined) return report;
  const { durationSeconds, ...rest } = report;
  const seconds = used.flatMap((stream) => report.streamSeconds?.get(stream) ?? []);
  if (seconds.length < used.length || seconds.length === 0) return isDamaged ? report : rest;
  return { ...rest, durationSeconds: Math.min(durationSeconds, Math.max(...seconds)) };
}

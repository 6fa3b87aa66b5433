import type { Edit } from '../../domain/edit.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { type MediaFacts, secondsText, sentNameOf, withField } from './media-facts.ts';
import type { OptionFacts } from './option-facts.ts';
import { expectedSeconds } from './output-duration.ts';

/** Containers that tell players to leave the beginning of a copy out (edit lists). */
const HIDING: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'psp', '3gp', '3g2', 'f4v', 'ismv']);
/** Outputs of several files, or without times. */
const UNMEASURED =
  /^(?:hls|dash|segment|stream_segment|ssegment|image2|null|h264|hevc|adts|mp3|ac3|eac3|flac|wav|data)$/;

/** A copy that starts this much before "ss" is noticed. */
const TOLERANCE_SECONDS = 0.5;

/**
 * Whether streams are copied from a place in an input, so that the output can start before it: a copy starts at the key
 * frame before. ffmpeg does not count that part.
 */
export function mayStartEarly(facts: MediaFacts, used: FinishedPass['used']): boolean {
  const { argv, plan } = facts;
  const { muxer } = plan.output;
  const isHidden = HIDING.has(muxer) && !argv.includes('-avoid_negative_ts');
  if (isHidden || UNMEASURED.test(muxer) || argv.includes('-copyts')) return false;
  const inputs = new Set(used.map(({ input }) => input));
  const [first] = inputs;
  const hasFilm = facts.inputs[first ?? -1]?.streams.some(({ type }) => type === 'video') === true;
  const starts = (plan.span.inputs[first ?? -1]?.start ?? 0) > 0;
  return inputs.size === 1 && hasFilm && starts && used.some(({ copied }) => copied);
}

/** The encoders that replace a copy. Other containers hold those of MP4. */
const encodersFor = (muxer: string): Readonly<Record<'video' | 'audio', string>> =>
  muxer === 'webm' ? { video: 'libvpx-vp9', audio: 'libopus' } : { video: 'libx264', audio: 'aac' };

/** A copy that starts clearly before "ss". */
export function earlyStart(facts: MediaFacts, pass: FinishedPass, options: OptionFacts): readonly RunWarning[] {
  const { used, writtenSeconds, outputStreams, plan, inputs } = pass;
  if (writtenSeconds === undefined || options.changesDuration || !mayStartEarly(facts, used)) return [];
  const wanted = expectedSeconds(plan, inputs);
  const early = writtenSeconds - (wanted ?? writtenSeconds);
  if (wanted === undefined || early <= TOLERANCE_SECONDS) return [];
  const start = plan.span.inputs[used[0]?.input ?? -1]?.start ?? 0;
  const copied = (['video', 'audio'] as const).filter((kind) =>
    outputStreams.some(({ index, type }) => type === kind && used.some((one) => one.copied && one.output === index)),
  );
  const [key] = ['c', ...copied.map((kind) => `c:${kind.charAt(0)}`)].filter((one) => facts.argv.includes(`-${one}`));
  if (key === undefined) return [];
  const encoders = encodersFor(plan.output.muxer);
  const isForOthers = outputStreams.some(({ type }) => type !== 'video' && type !== 'audio');
  const sent = copied.map((kind): Edit => {
    const member = { name: `c:${kind.charAt(0)}`, value: encoders[kind] };
    return isForOthers && key === 'c' ? { do: 'add', ...member } : { do: 'send', ...member };
  });
  const left: readonly Edit[] = isForOthers || key !== 'c' ? [] : [{ do: 'remove', name: sentNameOf(facts, 'c') }];
  return [
    withField(facts, key, {
      code: 'LONG_OUTPUT',
      message: `The output has ${secondsText(writtenSeconds)}, not ${secondsText(wanted)}: a copy starts at the key frame before "ss", and this one ${secondsText(early)} early, at ${secondsText(Math.max(0, start - early))} of the input.`,
      fix: { edits: [...sent, ...left], why: 'then the output starts exactly at "ss"' },
    }),
  ];
}

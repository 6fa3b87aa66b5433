import type { OutputStream } from '../../domain/job.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { type MediaFacts, pathOf, secondsText } from './media-facts.ts';
import type { OptionFacts } from './option-facts.ts';
import { expectedSeconds } from './output-duration.ts';

/** An output of which more than this is beyond the end of its input is too long. */
const FACTOR = 1.5;
const SECONDS = 1;
/** How far the number of pictures can be from what the duration and the frame rate of the input say. */
const SHARE = { min: 0.7, max: 1.3 };
/** Usual frame rates, if the file does not tell its own. */
const RATES = { min: 12, max: 121 };

/**
 * An output that is far longer than its input, although it has as many pictures: the times of the sound jump, and ffmpeg
 * moves all streams with them. Sure only of a film: the duration of sound alone can be an estimate, or that of the last part
 * of a recording.
 */
export function longOutput(facts: MediaFacts, pass: FinishedPass, options: OptionFacts): readonly RunWarning[] {
  const { plan, inputs, used, lastBlock, writtenSeconds } = pass;
  const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
  if (writtenSeconds === undefined || options.changesDuration || plan.inputs.length !== 1) return [];
  const expected = expectedSeconds(plan, inputs);
  if (expected === undefined || writtenSeconds <= expected * FACTOR + SECONDS) return [];
  const ofKind = (kind: string): readonly OutputStream[] =>
    used.flatMap(({ input, stream }) =>
      (inputs[input]?.streams ?? []).filter(({ index, type }) => index === stream && type === kind),
    );
  const [picture, ...pictures] = ofKind('video');
  const [sound] = ofKind('audio');
  if (picture === undefined || sound === undefined || pictures.length > 0) return [];
  if (picture.disposition?.includes('attached_pic')) return [];
  const rate = (frame - repeatedFrames) / expected;
  const { min, max } = picture.fps === undefined ? RATES : SHARE;
  const fits = picture.fps === undefined ? rate : rate / picture.fps;
  if (fits < min || fits > max) return [];
  return [
    {
      ...(plan.inputs[0] === undefined ? {} : { field: plan.inputs[0].field }),
      code: 'LONG_OUTPUT',
      message: `The output has ${secondsText(writtenSeconds)}, but ${pathOf(facts, 0)} has ${secondsText(expected)}: the times of its sound (0:${sound.index}, ${sound.codec}) are damaged.`,
      fix: 'Send "an": "" to leave the sound out, or the file again, undamaged.',
    },
  ];
}

import type { Failure } from '../../domain/failure.ts';
import type { Mount, Plan } from '../../domain/plan.ts';
import { readPinned } from '../sandbox/pinned-inputs.ts';
import {
  describeContent,
  describeRawFile,
  RAW_FORMAT,
  rawSoundAdvice,
  type SentForOutput,
  TEXT_OF_METADATA,
} from './file-content.ts';

/** How much of a file tells what it contains. */
const HEAD_BYTES = 512;

/** A failure of ffmpeg about an input whose format the service does not open. */
const NOT_OPENED = / has a format that this service does not open\.$/;

/** Adds to the failure of an input that ffmpeg cannot read what the file contains instead of media. */
export async function explainInput(
  { plan, mounts }: { readonly plan: Plan; readonly mounts: readonly Mount[] },
  failure: Failure,
): Promise<Failure> {
  const index = plan.inputs.findIndex(({ logical }) => failure.message.includes(` ${logical}`));
  const planned = plan.inputs[index];
  const mount = mounts.find(({ logical }) => logical === planned?.logical);
  const isNotOpened = failure.code === 'UNSUPPORTED' && NOT_OPENED.test(failure.message);
  if ((failure.code !== 'INPUT_INVALID' && !isNotOpened) || planned === undefined || mount === undefined)
    return failure;
  const { logical, path } = planned;
  // The plan has warned about a playlist, and says what to send instead.
  const warned = plan.warnings.find(({ code, field }) => code === 'UNSUPPORTED_FORMAT' && field === planned.field);
  if (warned !== undefined)
    return { ...failure, message: warned.message, ...(warned.fix === undefined ? {} : { fix: warned.fix }) };
  const head = await readPinned(mount, HEAD_BYTES).catch(() => undefined);
  const content = head && describeContent(head);
  if (content !== undefined) {
    const { what, fix } = content.what === 'a text file' && givesMetadata(plan, index) ? TEXT_OF_METADATA : content;
    return { ...failure, message: `The input ${logical} is not a media file: it is ${what}.`, fix };
  }
  const raw = describeRawFile(path, head, sentForOutput(plan));
  if (raw !== undefined) return { ...failure, message: `The input ${logical} is ${raw.what}.`, fix: raw.fix };
  const advice = rawSoundAdvice(path, head);
  return advice === undefined ? failure : { ...failure, fix: `${String(failure.fix ?? '')} ${advice}`.trimStart() };
}

/** The options of an output whose format is raw although its name says another: it is that of the input. */
function sentForOutput({ outputs, passes }: Plan): SentForOutput {
  const { muxer = '', path = '', fields = {} } = outputs[0] ?? {};
  if (!RAW_FORMAT.test(`.${muxer}`) && muxer !== 'rawvideo') return {};
  if (RAW_FORMAT.test(path) || /\.(?:pcm|raw|yuv|rgb)$/i.test(path)) return {};
  const argv = passes.at(-1) ?? [];
  const sent = Object.keys(fields).flatMap((key) => {
    const value = argv[argv.lastIndexOf(`-${key}`) + 1];
    return value === undefined ? [] : [[key.split(':')[0] ?? key, value]];
  });
  return { ...Object.fromEntries(sent), f: muxer };
}

/** Whether the request takes metadata or chapters from an input. */
const givesMetadata = ({ passes }: Plan, input: number): boolean =>
  (passes.at(-1) ?? []).some(
    (word, at, argv) =>
      /^-map_(?:metadata|chapters)(?::|$)/.test(word) && argv[at + 1]?.split(':')[0] === String(input),
  );

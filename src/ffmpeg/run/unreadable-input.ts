import type { Failure } from '../../domain/failure.ts';
import type { Mount, Plan } from '../../domain/plan.ts';
import {
  explainUnreadable,
  isUnreadable,
  RAW_FORMAT,
  type SentForOutput,
  TEXT_OF_METADATA,
} from '../probe/file-content.ts';

/** Adds to the failure of an input that ffmpeg cannot read what the file contains instead of media. */
export async function explainInput(
  { plan, mounts }: { readonly plan: Plan; readonly mounts: readonly Mount[] },
  failure: Failure,
): Promise<Failure> {
  const index = plan.inputs.findIndex(({ logical }) => logical === failure.about?.input);
  const planned = plan.inputs[index];
  const mount = mounts.find(({ logical }) => logical === planned?.logical);
  if (!isUnreadable(failure) || planned === undefined || mount === undefined) return failure;
  const { logical, path, field } = planned;
  // The plan has warned about a playlist, and says what to send instead.
  const warned = plan.warnings.find((one) => one.code === 'UNSUPPORTED_FORMAT' && one.field === field);
  if (warned !== undefined)
    return { ...failure, message: warned.message, ...(warned.fix === undefined ? {} : { fix: warned.fix }) };
  return explainUnreadable(failure, {
    ...{ mount, logical, path, sent: sentForOutput(plan) },
    ...(givesMetadata(plan, index) && { textIs: TEXT_OF_METADATA }),
  });
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

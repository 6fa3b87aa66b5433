import { type Edit, type Edits, hasEdits } from '@telecine/contract/domain/edit.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { type Mount, outputOf, type Plan, type PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { trustedLines } from '../log/classify.ts';
import type { LogLine } from '../log/log-line.ts';
import { isEncrypted } from '../probe/encrypted-file.ts';
import { explainText, explainUnreadable, isUnreadable, TEXT_OF_METADATA } from '../probe/file-content.ts';
import type { ConversionRun } from './conversion-run.ts';
import type { PassOutput } from './pass-output.ts';

/** Matches the component of a log line about an output, since ffmpeg 6: `out#1/mp4`, `vost#1:0/libx264`. */
const WRITER = /^(?:out#|[vasdt]ost#)(\d+)[:/]/;

/** Matches an output in the text of a log line: `output stream #1:0`, `output file #1` (older releases), `out/1/a.mp4`. */
const NUMBERED = /\boutput (?:stream|file) #?(\d+)\b|\bout\/(\d{1,2})\//;

/** Returns the output that an error line names. undefined: no line names an output, or there is only one output. */
export function failedOutput(lines: readonly LogLine[], outputs: readonly PassOutput[]): PassOutput | undefined {
  if (outputs.length < 2) return undefined;
  for (const { component = '', text, level } of trustedLines(lines)) {
    if (level !== 'error' && level !== 'fatal') continue;
    const match = NUMBERED.exec(text);
    const number = WRITER.exec(component)?.[1] ?? match?.[1] ?? match?.[2];
    const output = number === undefined ? undefined : outputs[Number(number)];
    if (output !== undefined) return output;
  }
  return undefined;
}

/** Adds the path of the output to a failure, if there are several outputs. */
export function ofOutput(plan: Plan, index: number, failure: Failure): Failure {
  if (plan.outputs.length < 2) return failure;
  const message = `Output "${outputOf(plan, index).path}": ${failure.message}`;
  return { ...failure, message, about: { ...failure.about, output: index } };
}

/** Returns the outputs that a failure may be about: the output that `ofOutput` named, or all outputs. */
export function outputsOf({ outputs }: Plan, { about }: Pick<Failure, 'about'>): readonly PlannedOutput[] {
  const named = about?.output === undefined ? undefined : outputs[about.output];
  return named === undefined ? outputs : [named];
}

/** Adapts a fix to the sent names: it removes `c:v` and `c:a` instead of `c`, and no `map` if the request has none. */
export function withSentNames(failure: Failure, { fields = {} }: Pick<PlannedOutput, 'fields'>): Failure {
  const { fix } = failure;
  const sent = Object.entries(fields).flatMap(([key, field]) =>
    (key === 'c' || key.startsWith('c:')) && field.includes('/parameters/')
      ? [pointerKey(field.slice(field.lastIndexOf('/') + 1))]
      : [],
  );
  if (!hasEdits(fix) || sent.length === 0) return failure;
  const codecs = [...new Set(sent)].map((name): Edit => ({ do: 'remove', name }));
  const named = (one: Edits): Edits => ({
    ...one,
    edits: one.edits.flatMap((edit, _at, all) => {
      if (edit.do !== 'remove') return [edit];
      if (edit.name === 'c') return codecs;
      const isBesideCodec = all.some((other) => other.do === 'remove' && other.name === 'c');
      return edit.name === 'map' && isBesideCodec && !Object.hasOwn(fields, 'map') ? [] : [edit];
    }),
    ...(one.or !== undefined && { or: typeof one.or === 'string' ? one.or : named(one.or) }),
  });
  return { ...failure, fix: named(fix) };
}

/** The failure of a run that reads an encrypted file. undefined: no input is encrypted. */
export async function encryptedInput({
  plan,
  mounts,
}: Pick<ConversionRun, 'plan' | 'mounts'>): Promise<Failure | undefined> {
  for (const { logical } of plan.inputs) {
    const mount = mounts.find((one) => one.logical === logical);
    if (mount !== undefined && (await isEncrypted(mount)))
      return {
        code: 'UNSUPPORTED',
        message: `The input ${logical} is encrypted, so its streams cannot be converted.`,
        fix: 'Send a file without encryption (DRM).',
        about: { input: logical },
      };
  }
  return undefined;
}

/** Matches names of subtitle files. ffmpeg does not log which file is not UTF-8. */
const SUBTITLE_FILE = /\.(?:srt|ass|ssa|vtt|sub|webvtt|smi|txt)$/i;

/** Says in the failure of an unreadable input what the file really contains, such as a web page. */
export async function explainInput(
  { plan, mounts }: { readonly plan: Plan; readonly mounts: readonly Mount[] },
  failure: Failure,
): Promise<Failure> {
  const isText = failure.about?.isNotUtf8 === true;
  const index = plan.inputs.findIndex(({ logical, path }) =>
    isText ? SUBTITLE_FILE.test(path) : logical === failure.about?.input,
  );
  const planned = plan.inputs[index];
  const mount = mounts.find(({ logical }) => logical === planned?.logical);
  if (!isUnreadable(failure) || planned === undefined || mount === undefined) return failure;
  const { logical, path, field } = planned;
  if (isText) return explainText(failure, mount, path);
  // A playlist already has a warning in the plan. It explains the failure too.
  const warned = plan.warnings.find((one) => one.code === 'UNSUPPORTED_FORMAT' && one.field === field);
  if (warned !== undefined)
    return { ...failure, message: warned.message, ...(warned.fix === undefined ? {} : { fix: warned.fix }) };
  return explainUnreadable(failure, {
    ...{ mount, logical, path },
    ...(givesMetadata(plan, index) && { textIs: TEXT_OF_METADATA }),
  });
}

/** True if the request takes tags or chapters from an input, which may then be a text file. */
const givesMetadata = ({ passes }: Plan, input: number): boolean =>
  (passes.at(-1) ?? []).some(
    (word, at, argv) =>
      /^-map_(?:metadata|chapters)(?::|$)/.test(word) && argv[at + 1]?.split(':')[0] === String(input),
  );

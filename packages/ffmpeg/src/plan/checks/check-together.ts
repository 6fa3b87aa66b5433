import { isBucketPath, splitBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import { isPlannedName, type PlannedName } from '@telecine/contract/domain/planned-names.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { isGraphError } from '../../filtergraph/graph.ts';
import { padKinds } from '../../filtergraph/pad-kinds.ts';
import { quoted } from '../../values/value-error.ts';
import type { ReadOutput } from '../draft-output.ts';
import type { PlannedPart } from '../finish-output.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { OutputRequest } from '../request/parse-request.ts';
import { checkCommandSize } from './resource-limits.ts';

/**
 * Checks all outputs together: clashing paths, and options that only one output may have. `parts`: the plans of outputs without errors.
 */
export function checkTogether(
  requests: readonly OutputRequest[],
  drafts: readonly ReadOutput[],
  parts: readonly PlannedPart[],
): readonly FieldError[] {
  const errors: FieldError[] = [...pathErrors(requests), ...unlabelledOutputs(drafts), ...twoPasses(drafts)];
  if (requests.some(({ quality }) => quality !== undefined)) errors.push(aboutOneOutput('quality'));
  if (requests.some(({ ladder }) => ladder !== undefined)) errors.push(aboutOneOutput('ladder'));
  if (requests.some(({ frameSize, isFrameSizeOfRecipe }) => frameSize !== undefined && isFrameSizeOfRecipe !== true))
    errors.push(aboutOneOutput('frameSize'));
  if (errors.length > 0 || parts.length < requests.length) return errors;
  if (parts.some(({ isSlideshow }) => isSlideshow)) return [SLIDESHOW];
  const [first] = requests;
  if (parts.some(({ isJoined }) => isJoined)) return [first?.cut === undefined ? JOINED : CUT];
  errors.push(...differentInputs(requests, parts), ...sharedFiles(parts));
  const [request] = requests;
  const options = parts.flatMap(({ parts: { output } }) => output);
  if (request !== undefined) checkCommandSize(request, parts[0]?.parts.inputs ?? [], options, errors);
  return errors;
}

const fieldOf = (index: number): string => `/outputs/${index}/output`;

/** Returns the bucket of a path, or '' for the media root. All outputs of a job must be in the same bucket, or all in the media root. */
const storeOf = (path: string): string => (isBucketPath(path) ? splitBucketPath(path).bucket : '');

function pathErrors(requests: readonly OutputRequest[]): readonly FieldError[] {
  const paths = requests.map(({ output }) => (typeof output === 'string' ? output : undefined));
  return paths.flatMap((path, index) => {
    if (path === undefined) return [];
    const before = paths.slice(0, index).filter((one) => one !== undefined);
    const field = fieldOf(index);
    const clash = before.includes(path)
      ? path
      : before.find((one) => path.startsWith(`${one}/`) || one.startsWith(`${path}/`));
    if (clash !== undefined) {
      const [folder, inside] = clash.length < path.length ? [clash, path] : [path, clash];
      const message =
        clash === path
          ? `Two of "outputs" have the path ${quoted(path)}.`
          : `The output ${quoted(folder)} is also a folder in the path of the output ${quoted(inside)}.`;
      return [{ field, code: 'SAME_OUTPUT', message }];
    }
    const [first] = before;
    if (first === undefined || storeOf(first) === storeOf(path)) return [];
    return {
      field,
      code: 'SEVERAL_STORES',
      message: `${quoted(first)} and ${quoted(path)} are in different buckets, or one is in the media root. The outputs of one job must be in the same.`,
    };
  });
}

/** Rejects outputs of filtergraphs without a label: ffmpeg would add their streams to the first output. */
function unlabelledOutputs([draft]: readonly ReadOutput[]): readonly FieldError[] {
  const options = draft?.options.outputOptions.filter(({ name }) => name.name === 'filter_complex') ?? [];
  return options.flatMap((option: ArgvOption) =>
    (option.graphs ?? []).flatMap((graph) => {
      if (isGraphError(graph)) return [];
      const ends = graph.chains.flatMap((chain) => chain.at(-1) ?? []);
      const open = ends.find((filter) => {
        const pads = draft && padKinds(filter, 'outputs', draft.context.catalogue);
        return filter.outputs.length === 0 && (pads === undefined || pads.length > 0);
      });
      if (open === undefined) return [];
      return {
        field: option.field,
        code: 'NEEDS_LABEL',
        message: `The stream after the filter "${open.name}" of ${quoted(sentName(option))} has no label, so none of "outputs" can map it.`,
      };
    }),
  );
}

const hasOwnPass = ({ element }: OutputRequest): boolean =>
  element !== undefined && (element.names.has('pass') || element.names.has('pass:v'));

const twoPasses = (drafts: readonly ReadOutput[]): readonly FieldError[] =>
  // A "pass" in an element of "outputs" gets another error.
  drafts.some(({ context, options }) => options.twoPass && !hasOwnPass(context.request))
    ? [
        {
          field: '/parameters/pass',
          code: 'BAD_PASS',
          message: 'Two passes write one output, but the request has several.',
        },
      ]
    : [];

/** The error for several outputs with a feature that allows only one output. */
const oneOutput = (what: string): FieldError => ({
  field: '/outputs',
  code: 'ONE_OUTPUT_ONLY',
  message: `${what} one output, but the request has several. A second request with "after" can convert the result again.`,
});

const CUT = oneOutput('"cut" writes');
const JOINED = oneOutput('"join": "encode" writes');
const SLIDESHOW = oneOutput('Images with a "duration" become a slideshow, which has');
const aboutOneOutput = (name: 'quality' | 'ladder' | 'frameSize'): FieldError => ({
  field: `/${name}`,
  code: 'ONE_OUTPUT_ONLY',
  message: `"${name}" is about one output, but the request has several.`,
});

/** Rejects options that apply to the inputs for one output, and to the output itself for another output, such as `loop`. */
function differentInputs(requests: readonly OutputRequest[], parts: readonly PlannedPart[]): readonly FieldError[] {
  const optionsOf = ({ parts: { inputs } }: PlannedPart): ReadonlyMap<string, string> =>
    new Map(inputs.flatMap(({ options }) => options.map(({ key, field }) => [key, field] as const)));
  const all = parts.map(optionsOf);
  const fields = new Map(all.flatMap((options) => [...options]));
  for (const [key, field] of fields) {
    const withIt = all.findIndex((options) => options.has(key));
    const without = all.findIndex((options) => !options.has(key));
    const paths = [withIt, without].map((index) => quoted(String(requests[index]?.output)));
    if (without >= 0)
      return [
        {
          field,
          code: 'WRONG_SIDE',
          message: `"${key}" is an input option for ${paths[0]}, but an output option for ${paths[1]}: all outputs read the same inputs. It belongs in the "parameters" of an input or of the outputs that it is for.`,
        },
      ];
  }
  return [];
}

/** Rejects two outputs that write further files, such as segments, of the same name. */
function sharedFiles(parts: readonly PlannedPart[]): readonly FieldError[] {
  const outputs = parts.map(({ plan: { output } }) => ({
    path: output.path,
    names: output.names.map((name) => writtenName([output.folder, ...name])),
  }));
  return outputs.flatMap(({ path, names }, index) => {
    const clash = outputs.slice(0, index).find((other) => other.names.some((name) => names.some(clashWith(name))));
    if (clash === undefined) return [];
    return {
      field: fieldOf(index),
      code: 'SAME_OUTPUT',
      message: `${quoted(clash.path)} and ${quoted(path)} would write files of the same names. They need different folders or names.`,
    };
  });
}

/** The name of a file in the forms that comparisons need. */
interface WrittenName {
  readonly pattern: PlannedName;
  /** The text before the first variable part. */
  readonly start: string;
  readonly isText: boolean;
  /** Equal for equal patterns. */
  readonly key: string;
}

function writtenName(name: PlannedName): WrittenName {
  const pattern = normal(name);
  const [first = ''] = pattern;
  const isText = pattern.every((part) => typeof part === 'string');
  return { pattern, start: typeof first === 'string' ? first : '', isText, key: JSON.stringify(pattern) };
}

/** True if two names certainly clash: their patterns are equal, or one name is plain text that the pattern of the other matches. */
const clashWith =
  (name: WrittenName) =>
  (other: WrittenName): boolean => {
    if (name.isText === other.isText) return name.key === other.key;
    const [{ start: text }, { pattern, start }] = name.isText ? [name, other] : [other, name];
    return text.startsWith(start) && isPlannedName([pattern], text);
  };

/** Joins adjacent texts of a pattern, so that equal patterns have equal parts. */
function normal(name: PlannedName): PlannedName {
  const parts: PlannedName[number][] = [];
  for (const part of name) {
    const last = parts.at(-1);
    if (typeof part !== 'string' || typeof last !== 'string') parts.push(part);
    else parts[parts.length - 1] = last + part;
  }
  return parts.filter((part) => part !== '');
}

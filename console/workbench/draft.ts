import type { ConversionRequest } from '@telecine/client';
import type { Patch } from './apply-patch.ts';

/** An option as a row of the form. Rows with the same name in one list become a list of values. */
export interface OptionRow {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** One input of the form: a file (`input`), or a filtergraph that makes video or audio (`source`). */
export interface InputDraft {
  readonly id: string;
  readonly input?: string;
  readonly source?: string;
  readonly duration?: string;
  readonly crossfade?: string;
  readonly rows: readonly OptionRow[];
}

/** One output of the form. If a text is '', the page uses its suggestion. */
export interface OutputDraft {
  readonly id: string;
  readonly output: string;
  readonly format: string;
  readonly rows: readonly OptionRow[];
  /** The form has no fields for `fallback`, but keeps it. */
  readonly fallback?: NonNullable<ConversionRequest['parameters']>;
}

type Preset = NonNullable<ConversionRequest['preset']>;
export type Arguments = NonNullable<Preset['arguments']>;

/** The members of a request that are not in the lists of the form. They are sent unchanged. */
type OtherMembers = Omit<ConversionRequest, 'input' | 'inputs' | 'output' | 'outputs' | 'parameters' | 'preset'>;

/** How several sources are converted: each in its own job, joined, or as inputs of one conversion. */
export type Combination = 'each' | 'join' | 'together';

/** A failed job whose request the user is mending, with what the service says about the failure. */
export interface MendedJob {
  readonly jobId: string;
  readonly message: string;
  readonly fix?: string;
  /** The changes of the request that fix it. */
  readonly apply?: Patch;
}

/** The finished job that a draft runs again. */
export interface RetriedJob {
  readonly jobId: string;
  /** Its client, if that is not the user. The request is then checked and run with the files and limits of that client. */
  readonly client?: string;
}

/** What a new job lacks of the job whose request it has: a part of which the page gets no key, and for which the form has no field. */
export type LeftOut = 'callback' | 'fallback';

/** The request that the user is editing. It is the whole state of the workbench. */
export interface Draft {
  readonly inputs: readonly InputDraft[];
  readonly outputs: readonly OutputDraft[];
  /** The options of the request. They apply to all outputs. */
  readonly rows: readonly OptionRow[];
  readonly preset?: Preset;
  /** The combination that the user has chosen. The choice `join` is in `others.join` instead. */
  readonly combination?: Exclude<Combination, 'join'>;
  /** Contains `format` only if there are several outputs. */
  readonly others: OtherMembers;
  /** The options of each source that the user adds, after "Same settings, new source". */
  readonly sourceRows?: readonly OptionRow[];
  /** The failed job, while the user mends its request. */
  readonly mends?: MendedJob;
  /** The job that the draft runs again, if it makes one request. */
  readonly retries?: RetriedJob;
  /** What the request lacks of that of the job from which it was made. */
  readonly leftOut?: readonly LeftOut[];
  /** The next id. Ids identify rows, inputs and outputs when they move, and are never sent. */
  readonly nextId: number;
}

/** The client for which the draft is checked and run, if that is not the user. None of the user's own files belong to such a draft. */
export const otherClientOf = ({ retries }: Pick<Draft, 'retries'>): string | undefined => retries?.client;

export const EMPTY_DRAFT: Draft = {
  inputs: [],
  outputs: [{ id: 'output', output: '', format: '', rows: [] }],
  rows: [],
  others: {},
  nextId: 1,
};

/** Whether a draft has nothing that the user would miss. What was added and removed again, or never filled in, does not count. */
export const isEmptyDraft = ({ inputs, outputs, rows, preset, others, sourceRows = [] }: Draft): boolean =>
  inputs.length === 0 &&
  preset === undefined &&
  Object.keys(others).length === 0 &&
  sourceRows.length === 0 &&
  outputs.every(({ output, format, fallback }) => output === '' && format === '' && fallback === undefined) &&
  [{ rows }, ...outputs].every((list) => list.rows.every(({ name, value }) => name === '' && value === ''));

/** The rows with a value but without a name. They cannot be sent. */
export const namelessRows = ({ rows, inputs, outputs }: Draft): readonly OptionRow[] =>
  [{ rows }, ...inputs, ...outputs].flatMap((list) =>
    list.rows.filter(({ name, value }) => name === '' && value !== ''),
  );

/** The outputs that are sent: an output that the user has added and not filled in yet is not. */
export const sentOutputs = ({ outputs }: Pick<Draft, 'outputs'>): readonly OutputDraft[] =>
  outputs.filter(
    ({ output, format, rows, fallback }, index) =>
      index === 0 || output !== '' || format !== '' || rows.length > 0 || fallback !== undefined,
  );

/** Whether the request needs `outputs`, because there are several or the output has its own options. */
export const hasSeveralOutputs = (draft: Pick<Draft, 'outputs'>): boolean => {
  const outputs = sentOutputs(draft);
  return outputs.length > 1 || outputs.some(({ rows, fallback }) => rows.length > 0 || fallback !== undefined);
};

/** Whether the request needs `inputs`. A single file without options is sent as `input`. */
export const hasInputList = ({ inputs }: Pick<Draft, 'inputs'>): boolean =>
  inputs.length !== 1 || !inputs.every(isPlain);

/** Whether an input is only a path. */
export const isPlain = ({ input, source, duration, crossfade, rows }: InputDraft): boolean =>
  input !== undefined &&
  source === undefined &&
  duration === undefined &&
  crossfade === undefined &&
  rows.every(({ name }) => name === '');

/** Whether the user has changed nothing of a draft since. The notes about a failed job and what is left out of it are not in the request. */
export function isUnchanged(
  { mends: _, leftOut: __, ...before }: Draft,
  { mends: ___, leftOut: ____, ...now }: Draft,
): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof typeof before>;
  return [...names].every((name) => before[name] === now[name]);
}

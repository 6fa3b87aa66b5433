import type { ConversionRequest } from '@telecine/client';

/** An option as a row of the form. Rows of one list with the same name are sent as a list of values. */
export interface OptionRow {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** One input of the form: a file, or a filtergraph that makes video or audio. */
export interface InputDraft {
  readonly id: string;
  readonly input?: string;
  readonly source?: string;
  readonly duration?: string;
  readonly crossfade?: string;
  readonly rows: readonly OptionRow[];
}

/** One output of the form. '' is what the page suggests. */
export interface OutputDraft {
  readonly id: string;
  readonly output: string;
  readonly format: string;
  readonly rows: readonly OptionRow[];
  /** The form has no fields for it. It is sent as it is. */
  readonly fallback?: NonNullable<ConversionRequest['parameters']>;
}

type Preset = NonNullable<ConversionRequest['preset']>;
export type Arguments = NonNullable<Preset['arguments']>;

/** The members of a request that the form has no lists for. They are sent as they are. */
export type OtherMembers = Omit<ConversionRequest, 'input' | 'inputs' | 'output' | 'outputs' | 'parameters' | 'preset'>;

/** How several sources are converted: each in a job of its own, joined, or as inputs of one conversion. */
export type Combination = 'each' | 'join' | 'together';

/** A request while it is written: the only state of the workbench, from which everything else follows. */
export interface Draft {
  readonly inputs: readonly InputDraft[];
  readonly outputs: readonly OutputDraft[];
  /** The options of the request, which apply to each output. */
  readonly rows: readonly OptionRow[];
  readonly preset?: Preset;
  /** What the person has chosen; `join` is a member of the request instead. */
  readonly combination?: Exclude<Combination, 'join'>;
  /** `format` is only here if there are several outputs. */
  readonly others: OtherMembers;
  /** The number of the next id. Ids name rows, inputs and outputs while they move, and are never sent. */
  readonly nextId: number;
}

export const EMPTY_DRAFT: Draft = {
  inputs: [],
  outputs: [{ id: 'output', output: '', format: '', rows: [] }],
  rows: [],
  others: {},
  nextId: 1,
};

/** The rows that have a value but no name, which no request can have. */
export const namelessRows = ({ rows, inputs, outputs }: Draft): readonly OptionRow[] =>
  [{ rows }, ...inputs, ...outputs].flatMap((list) =>
    list.rows.filter(({ name, value }) => name === '' && value !== ''),
  );

/** Whether the request has a list of outputs, each with options of its own. */
export const hasSeveralOutputs = ({ outputs }: Pick<Draft, 'outputs'>): boolean =>
  outputs.length > 1 || outputs.some(({ rows, fallback }) => rows.length > 0 || fallback !== undefined);

/** Whether the request has a list of inputs. A file without options is `input` alone. */
export const hasInputList = ({ inputs }: Pick<Draft, 'inputs'>): boolean =>
  inputs.length !== 1 || !inputs.every(isPlain);

/** Whether an input is sent as its path alone. */
export const isPlain = ({ input, source, duration, crossfade, rows }: InputDraft): boolean =>
  input !== undefined &&
  source === undefined &&
  duration === undefined &&
  crossfade === undefined &&
  rows.every(({ name }) => name === '');

import type { ConversionRequest } from '@telecine/client';
import {
  type Draft,
  hasInputList,
  hasSeveralOutputs,
  type InputDraft,
  isPlain,
  type OptionRow,
  sentOutputs,
} from './draft.ts';

type Parameters = NonNullable<ConversionRequest['parameters']>;

/** Converts a draft to a request. `suggested`: the path of the first output if the draft has none. */
export function requestFromDraft(draft: Draft, suggested = ''): ConversionRequest {
  const { inputs, rows, preset } = draft;
  const outputs = sentOutputs(draft);
  const { format: ofAll, ...others } = draft.others;
  const [first] = outputs;
  const several = hasSeveralOutputs(draft);
  const pathOf = (index: number, output: string): string => (output === '' && index === 0 ? suggested : output);
  return {
    ...(hasInputList(draft) ? { inputs: inputs.map(sentInput) } : { input: inputs[0]?.input ?? '' }),
    ...(several
      ? {
          outputs: outputs.map(({ id: _, output, format, rows: own, ...more }, index) => ({
            output: pathOf(index, output),
            ...(format !== '' && { format }),
            ...parametersOf(own),
            ...more,
          })),
        }
      : { output: pathOf(0, first?.output ?? '') }),
    ...formatOf((!several && first?.format) || ofAll),
    ...parametersOf(rows),
    ...(preset !== undefined && { preset }),
    ...others,
  };
}

const formatOf = (format: string | undefined): Pick<ConversionRequest, 'format'> =>
  format === undefined || format === '' ? {} : { format };

type SentInput = NonNullable<ConversionRequest['inputs']>[number];

function sentInput(draft: InputDraft): SentInput {
  const { id: _, rows, ...input } = draft;
  return isPlain(draft) ? (input.input ?? '') : { ...input, ...parametersOf(rows) };
}

const parametersOf = (rows: readonly OptionRow[]): { readonly parameters?: Parameters } => {
  const named = rows.filter(({ name }) => name !== '');
  return named.length === 0 ? {} : { parameters: parametersFromRows(named) };
};

/** Converts rows to `parameters`. Several rows with the same name become a list of values. */
export function parametersFromRows(rows: readonly OptionRow[]): Parameters {
  const values = Map.groupBy(rows, ({ name }) => name);
  return Object.fromEntries(
    [...values].map(([name, each]) => [
      name,
      each.length === 1 ? (each[0]?.value ?? '') : each.map(({ value }) => value),
    ]),
  );
}

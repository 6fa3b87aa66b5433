import type { ConversionRequest } from '@telecine/client';
import type { Draft, InputDraft, OptionRow, OutputDraft } from './draft.ts';

/** Converts a request to a draft. The request comes from an earlier job or a pasted command, for example. */
export function draftFromRequest(request: ConversionRequest): Draft {
  const { input, inputs, output, outputs, format, parameters, preset, ...others } = request;
  let nextId = 1;
  const newId = (): string => String(nextId++);
  const rowsOf = (options: ConversionRequest['parameters']): readonly OptionRow[] =>
    Object.entries(options ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one) => ({ id: newId(), name, value: String(one) })),
    );
  const inputDraft = (sent: NonNullable<ConversionRequest['inputs']>[number]): InputDraft => {
    if (typeof sent === 'string') return { id: newId(), input: sent, rows: [] };
    const { parameters: own, ...more } = sent;
    return { id: newId(), ...more, rows: rowsOf(own) };
  };
  const listed = outputs?.map(
    ({ output: path, format: own = '', parameters: options, ...more }): OutputDraft => ({
      id: newId(),
      output: path,
      format: own,
      rows: rowsOf(options),
      ...more,
    }),
  );
  const draft = {
    inputs: inputs?.map(inputDraft) ?? (input === undefined || input === '' ? [] : [inputDraft(input)]),
    outputs: listed ?? [{ id: newId(), output: output ?? '', format: format ?? '', rows: [] }],
    rows: rowsOf(parameters),
    ...(preset !== undefined && { preset }),
    // A list of selected files has no output. Each of its files is converted by itself.
    ...(inputs !== undefined &&
      inputs.length > 1 &&
      (output ?? outputs) !== undefined && { combination: 'together' as const }),
    others: { ...others, ...(listed !== undefined && format !== undefined && { format }) },
  };
  return { ...draft, nextId };
}

import type { ConversionRequest } from '@telecine/client';
import { applyPatch, type Patch } from './apply-patch.ts';
import {
  type Arguments,
  type Combination,
  type Draft,
  EMPTY_DRAFT,
  type InputDraft,
  type OptionRow,
  type OutputDraft,
} from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';

/** The key of the options that belong to the whole request. The keys of other lists are the ids of their input or output. */
export const SHARED = '';

/** A change of the draft by the user. */
export type Change =
  | { readonly do: 'start-again' }
  | { readonly do: 'open-request'; readonly request: ConversionRequest }
  | { readonly do: 'restore'; readonly draft: Draft }
  | { readonly do: 'apply-patch'; readonly patch: Patch }
  | { readonly do: 'combine'; readonly combination: Combination }
  | { readonly do: 'add-inputs'; readonly paths: readonly string[] }
  | { readonly do: 'change-input'; readonly id: string; readonly input: Partial<Omit<InputDraft, 'id' | 'rows'>> }
  | { readonly do: 'rename-input'; readonly from: string; readonly to: string }
  | { readonly do: 'move-input'; readonly id: string; readonly by: -1 | 1 }
  | { readonly do: 'remove-input'; readonly id: string }
  | { readonly do: 'add-row'; readonly list: string; readonly name?: string; readonly value?: string }
  | { readonly do: 'change-row'; readonly id: string; readonly row: Partial<Omit<OptionRow, 'id'>> }
  | { readonly do: 'remove-row'; readonly id: string }
  | { readonly do: 'add-output' }
  | { readonly do: 'change-output'; readonly id: string; readonly output: Partial<Omit<OutputDraft, 'id' | 'rows'>> }
  | { readonly do: 'remove-output'; readonly id: string }
  | { readonly do: 'choose-recipe'; readonly name: string | undefined }
  | { readonly do: 'set-argument'; readonly name: string; readonly value: Arguments[string] | undefined }
  | {
      readonly do: 'set-others';
      readonly others: Partial<{ [K in keyof Draft['others']]: Draft['others'][K] | undefined }>;
    };

export function changeDraft(draft: Draft, change: Change): Draft {
  switch (change.do) {
    case 'start-again':
      return EMPTY_DRAFT;
    case 'open-request':
      return draftFromRequest(change.request);
    case 'restore':
      return change.draft;
    case 'apply-patch': {
      const { combination: _, ...fixed } = draftFromRequest(applyPatch(requestFromDraft(draft), change.patch));
      const { combination } = draft;
      return withNameless({ ...fixed, ...(combination !== undefined && { combination }) }, draft);
    }
    case 'combine': {
      const { join: _, ...others } = draft.others;
      const { combination: __, ...rest } = draft;
      return change.combination === 'join'
        ? { ...rest, others: { ...others, join: 'encode' } }
        : { ...rest, others, combination: change.combination };
    }
    case 'add-inputs':
      return change.paths.reduce(
        (all, input) => withId(all, (id) => ({ inputs: [...all.inputs, { id, input, rows: [] }] })),
        draft,
      );
    case 'change-input':
      return {
        ...draft,
        inputs: changed(draft.inputs, change.id, (input) => withoutUndefined({ ...input, ...change.input })),
      };
    case 'rename-input':
      return {
        ...draft,
        inputs: draft.inputs.map((one) => (one.input === change.from ? { ...one, input: change.to } : one)),
      };
    case 'move-input':
      return { ...draft, inputs: moved(draft.inputs, change.id, change.by) };
    case 'remove-input':
      return { ...draft, inputs: draft.inputs.filter(({ id }) => id !== change.id) };
    case 'add-row':
      return withId(draft, (id) => {
        const row = { id, name: change.name ?? '', value: change.value ?? '' };
        return changeLists(draft, (rows, list) => (list === change.list ? [...rows, row] : rows));
      });
    case 'change-row':
      return {
        ...draft,
        ...changeLists(draft, (rows) => changed(rows, change.id, (row) => ({ ...row, ...change.row }))),
      };
    case 'remove-row':
      return { ...draft, ...changeLists(draft, (rows) => rows.filter(({ id }) => id !== change.id)) };
    case 'add-output':
      return withId(draft, (id) => ({ outputs: [...draft.outputs, { id, output: '', format: '', rows: [] }] }));
    case 'change-output':
      return { ...draft, outputs: changed(draft.outputs, change.id, (output) => ({ ...output, ...change.output })) };
    case 'remove-output':
      return { ...draft, outputs: draft.outputs.filter(({ id }) => id !== change.id) };
    case 'choose-recipe': {
      const { preset: _, ...without } = draft;
      return change.name === undefined ? without : { ...without, preset: { name: change.name } };
    }
    case 'set-argument': {
      if (draft.preset === undefined) return draft;
      const all = withoutUndefined({ ...draft.preset.arguments, [change.name]: change.value });
      return { ...draft, preset: { ...draft.preset, arguments: all as Arguments } };
    }
    case 'set-others':
      return { ...draft, others: withoutUndefined({ ...draft.others, ...change.others }) as Draft['others'] };
  }
}

const withId = (draft: Draft, change: (id: string) => Partial<Draft>): Draft => ({
  ...draft,
  ...change(String(draft.nextId)),
  nextId: draft.nextId + 1,
});

/** Changes each list of options: of the request, of each input and of each output. */
const changeLists = (
  draft: Draft,
  change: (rows: readonly OptionRow[], list: string) => readonly OptionRow[],
): Pick<Draft, 'rows' | 'inputs' | 'outputs'> => ({
  rows: change(draft.rows, SHARED),
  inputs: draft.inputs.map((input) => ({ ...input, rows: change(input.rows, input.id) })),
  outputs: draft.outputs.map((output) => ({ ...output, rows: change(output.rows, output.id) })),
});

/** Adds the rows without a name from the draft before a patch. The patched request lacks them. */
function withNameless(draft: Draft, before: Draft): Draft {
  let { nextId } = draft;
  const add = <T extends { readonly rows: readonly OptionRow[] }>(list: T, from: Partial<T> = {}): T => {
    const nameless = (from.rows ?? [])
      .filter(({ name }) => name === '')
      .map((row) => ({ ...row, id: String(nextId++) }));
    return { ...list, rows: [...list.rows, ...nameless] };
  };
  return {
    ...add(draft, before),
    inputs: draft.inputs.map((input, i) => add(input, before.inputs[i])),
    outputs: draft.outputs.map((output, i) => add(output, before.outputs[i])),
    nextId,
  };
}

const changed = <T extends { readonly id: string }>(
  all: readonly T[],
  id: string,
  change: (one: T) => T,
): readonly T[] => all.map((one) => (one.id === id ? change(one) : one));

function moved<T extends { readonly id: string }>(all: readonly T[], id: string, by: -1 | 1): readonly T[] {
  const from = all.findIndex((one) => one.id === id);
  const one = all[from];
  if (one === undefined || all[from + by] === undefined) return all;
  return all.toSpliced(from, 1).toSpliced(from + by, 0, one);
}

/** Removes members that are undefined, because a request must not contain them. */
const withoutUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

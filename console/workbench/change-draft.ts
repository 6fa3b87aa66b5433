import type { ConversionRequest } from '@telecine/client';
import { applyPatch, type Patch } from './apply-patch.ts';
import {
  type Arguments,
  type Combination,
  type Draft,
  EMPTY_DRAFT,
  type InputDraft,
  isUnchanged,
  type OptionRow,
  type OutputDraft,
} from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { asNewJob, leftOutOf, withoutHiddenFallback } from './hidden-parts.ts';
import { requestFromDraft } from './request-from-draft.ts';

/** The key of the options that belong to the whole request. The keys of other lists are the ids of their input or output. */
export const SHARED = '';

/** A change of the draft by the user. */
export type Change =
  | { readonly do: 'start-again' }
  | { readonly do: 'next-source' }
  | { readonly do: 'forget-failure' }
  /** The draft is a new job of the user, because the job of `retries` is deleted, for example. */
  | { readonly do: 'forget-retry' }
  | { readonly do: 'forget-left-out' }
  | { readonly do: 'open-request'; readonly request: ConversionRequest }
  /** Sets the draft `of` to the same with a fix. Changes nothing if the user has another draft meanwhile. */
  | { readonly do: 'apply-fix'; readonly of: Draft; readonly fixed: Draft }
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
  /** Sets an option of a list, which then has one row with this name. undefined: the list has no such row. */
  | { readonly do: 'set-option'; readonly list: string; readonly name: string; readonly value: string | undefined }
  | { readonly do: 'add-output' }
  | { readonly do: 'change-output'; readonly id: string; readonly output: Partial<Omit<OutputDraft, 'id' | 'rows'>> }
  | { readonly do: 'remove-output'; readonly id: string }
  | {
      readonly do: 'choose-recipe';
      readonly name: string | undefined;
    }
  | { readonly do: 'set-argument'; readonly name: string; readonly value: Arguments[string] | undefined }
  | {
      readonly do: 'set-others';
      readonly others: Partial<{ [K in keyof Draft['others']]: Draft['others'][K] | undefined }>;
    };

export function changeDraft(draft: Draft, change: Change): Draft {
  switch (change.do) {
    case 'start-again':
      return EMPTY_DRAFT;
    case 'next-source':
      return nextSource(draft);
    case 'forget-failure': {
      const { mends, ...rest } = draft;
      return mends === undefined ? draft : rest;
    }
    case 'forget-retry': {
      const { retries: _, ...rest } = draft;
      const leftOut = leftOutOf({ ...draft.others, outputs: draft.outputs });
      return {
        ...rest,
        others: asNewJob(draft.others),
        outputs: draft.outputs.map(withoutHiddenFallback),
        ...(leftOut.length > 0 && { leftOut }),
      };
    }
    case 'forget-left-out': {
      const { leftOut: _, ...rest } = draft;
      return rest;
    }
    case 'open-request':
      return draftFromRequest(change.request);
    case 'apply-fix': {
      if (!isUnchanged(change.of, draft)) return draft;
      const { mends: _, ...fixed } = change.fixed;
      return draft.mends === undefined ? fixed : { ...fixed, mends: draft.mends };
    }
    case 'apply-patch': {
      const { combination: _, ...fixed } = draftFromRequest(applyPatch(requestFromDraft(draft), change.patch));
      const { combination, sourceRows, mends, retries, leftOut } = draft;
      const kept = withoutUndefined({ combination, sourceRows, mends, retries, leftOut }) as Partial<Draft>;
      return withNameless({ ...fixed, ...kept }, draft);
    }
    case 'combine': {
      const { join: _, ...others } = draft.others;
      const { combination: __, ...rest } = draft;
      return change.combination === 'join'
        ? { ...rest, others: { ...others, join: 'encode' } }
        : { ...rest, others, combination: change.combination };
    }
    case 'add-inputs':
      return addInputs(draft, change.paths);
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
    case 'set-option':
      return setOption(draft, change);
    case 'add-output':
      return withId(draft, (id) => ({ outputs: [...draft.outputs, { id, output: '', format: '', rows: [] }] }));
    case 'change-output':
      return { ...draft, outputs: changed(draft.outputs, change.id, (output) => ({ ...output, ...change.output })) };
    case 'remove-output':
      return { ...draft, outputs: draft.outputs.filter(({ id }) => id !== change.id) };
    case 'choose-recipe': {
      const { preset: _, ...without } = draft;
      if (change.name === undefined) return without;
      return { ...without, preset: { name: change.name } };
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

/**
 * The same settings for another source: the sources and the names of outputs are gone. What concerns only the last run is gone too: the order
 * to replace its output, the jobs to wait for, the client's data about it, the model that asked for it, the failure, and the job that it ran
 * again. Keys that the page does not have stay as hidden options, so that the user is asked for them: without its key, an output would not be
 * encrypted.
 */
function nextSource(draft: Draft): Draft {
  const { mends: _, sourceRows: before, ...rest } = changeDraft(draft, { do: 'forget-retry' });
  const { metadata: __, llmId: ___, ...others } = rest.others;
  const [only, ...more] = draft.inputs;
  const sourceRows = only === undefined ? before : more.length === 0 ? only.rows : undefined;
  return {
    ...rest,
    others,
    inputs: [],
    rows: withoutReplacing(draft.rows),
    outputs: rest.outputs.map((output) => ({ ...output, output: '', rows: withoutReplacing(output.rows) })),
    ...(sourceRows !== undefined && sourceRows.length > 0 && { sourceRows }),
  };
}

/** Leaves out the option that replaces an existing file. */
const withoutReplacing = (rows: readonly OptionRow[]): readonly OptionRow[] => rows.filter(({ name }) => name !== 'y');

/** Adds sources, with the options of the last one after "Same settings, new source". */
function addInputs(draft: Draft, paths: readonly string[]): Draft {
  let { nextId } = draft;
  const newId = (): string => String(nextId++);
  const added = paths.map((input) => ({
    id: newId(),
    input,
    rows: (draft.sourceRows ?? []).map((row) => ({ ...row, id: newId() })),
  }));
  return { ...draft, inputs: [...draft.inputs, ...added], nextId };
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

function setOption(
  draft: Draft,
  { list, name, value }: { readonly list: string; readonly name: string; readonly value: string | undefined },
): Draft {
  const id = String(draft.nextId);
  const set = (rows: readonly OptionRow[]): readonly OptionRow[] => {
    const first = rows.find((row) => row.name === name);
    const others = rows.filter((row) => row.name !== name || (row === first && value !== undefined));
    if (value === undefined) return others;
    return first === undefined
      ? [...rows, { id, name, value }]
      : changed(others, first.id, (row) => ({ ...row, value }));
  };
  return {
    ...draft,
    ...changeLists(draft, (rows, key) => (key === list ? set(rows) : rows)),
    nextId: draft.nextId + 1,
  };
}

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

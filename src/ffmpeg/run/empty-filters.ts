import { hasEdits } from '../../domain/edit.ts';
import { type Hint, withAdvice } from '../../domain/hint.ts';
import { TIMES } from './filter-effects.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { printChanged, withChoice, withFilter } from './graph-fixes.ts';
import {
  type ArgvGraph,
  type MediaFacts,
  optionValue,
  pathOf,
  secondsOfInput,
  secondsText,
  sourceOf,
  withField,
} from './media-facts.ts';

/** Filters that let only some frames or samples pass. */
const SELECTING = { video: /^select$/, audio: /^aselect$/ } as const;

/** What an expression that selects nothing says, and the fix. */
export interface EmptySelection {
  readonly key: string;
  readonly reason: string;
  readonly fix: Hint;
}

/** The filter that let nothing pass. Call it only if nothing of that kind was written. undefined if there is none. */
export function emptySelection(facts: MediaFacts, kind: 'video' | 'audio'): EmptySelection | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) if (SELECTING[kind].test(filter.name)) return explain(facts, graph, filter);
  return undefined;
}

/** `gt(t,100)`, `gte(t,100)`, `between(t,100,110)`: from when on. */
const FROM_TIME = /^(gte?|between)\(t,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?\)$/;
/** `gt(scene,0.9)`: how different two pictures must be. */
const SCENE = /^gte?\(scene,(\d+(?:\.\d+)?|\.\d+)\)$/;

function explain(facts: MediaFacts, graph: ArgvGraph, filter: ArgvGraph['filters'][number]): EmptySelection {
  const expression = (optionValue(filter, 'expr', 'e') ?? '').replaceAll(' ', '');
  const source = sourceOf(facts, graph, filter, 0, TIMES);
  const seconds = source && secondsOfInput(facts, source.input);
  const changed = (expr: string): Hint => withFilter(facts, graph, filter, printChanged(filter, { expr }, ['e']));
  const nothing = `the filter ${filter.name} let nothing pass`;
  const [, call, from = '', to] = FROM_TIME.exec(expression) ?? [];
  if (call !== undefined && source !== undefined && seconds !== undefined && Number(from) >= seconds) {
    const begin = Math.floor(seconds / 2);
    return {
      key: graph.key,
      reason: `${nothing}: it starts at ${secondsText(Number(from))}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}`,
      fix: changed(to === undefined ? `${call}(t,${begin})` : `between(t,${begin},${Math.ceil(seconds)})`),
    };
  }
  const threshold = Number(SCENE.exec(expression)?.[1] ?? Number.NaN);
  if (!Number.isNaN(threshold)) {
    const note = 'If still nothing passes, lower it again.';
    const lower = threshold > 0.3 ? 0.3 : threshold / 3;
    const fix = changed(`gt(scene,${Number(lower.toPrecision(2))})`);
    return {
      key: graph.key,
      reason: `${nothing}: no picture differs by more than ${threshold} from the one before`,
      fix: hasEdits(fix) ? { ...fix, note } : withAdvice(fix, note),
    };
  }
  return {
    key: graph.key,
    reason: `${nothing}: its expression was 0 for all of them`,
    fix: withChoice(
      withFilter(facts, graph, filter, filter.name === 'select' ? 'null' : 'anull'),
      'send another expression of the filter',
    ),
  };
}

/** Streams without a frame in an output that has others. Of sound, only an expression is a sure cause. */
export function emptiedStreams(
  facts: MediaFacts,
  kinds: readonly ('video' | 'audio')[],
): readonly (RunWarning & { readonly key: string })[] {
  return kinds.flatMap((kind) => {
    const found = emptySelection(facts, kind);
    if (found === undefined) return kind === 'video' ? [NO_FRAME] : [];
    const { key, reason, fix } = found;
    const what = kind === 'video' ? 'no picture' : 'no sound';
    return [{ key, code: 'EMPTY_STREAM', message: `The output has ${what}: ${reason}.`, fix }];
  });
}

const NO_FRAME: RunWarning & { readonly key: string } = {
  key: 'filter:v',
  code: 'EMPTY_STREAM',
  message: 'The output has no picture: no frame of the input is in the part that the request asks for.',
  fix: 'Compare ss, t, to and the filters with the duration of the picture, or send "vn": "" for the sound alone.',
};

/** Kinds of streams of which nothing was written, because of a filter. A copy has another cause. */
export function emptied(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams' | 'complaints'>,
) {
  const isWritten = (kind: 'video' | 'audio'): boolean =>
    pass.outputStreams.some(
      ({ type, index }) => type === kind && !pass.used.some(({ output, copied }) => output === index && copied),
    );
  const kinds = [
    ...(pass.lastBlock?.frame === 0 && isWritten('video') ? (['video'] as const) : []),
    ...(pass.complaints.wroteSound === false && isWritten('audio') ? (['audio'] as const) : []),
  ];
  return emptiedStreams(facts, kinds).map(({ key, ...warning }) => withField(facts, key, warning));
}

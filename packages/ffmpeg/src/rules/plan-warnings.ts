import type { Warning } from '@telecine/contract/domain/plan.ts';
import { allFilters } from '../plan/request/argv-option.ts';
import type { RequestContext } from './contexts.ts';
import { RULE_SETS } from './rule-sets.ts';
import type { FaultGuard } from './rules.ts';

export const formatWarnings = (context: RequestContext, guard: FaultGuard): readonly Warning[] =>
  RULE_SETS.format.find(context, guard);

/** Codes of warnings that are probably wrong if the client meant another format. */
const BY_FORMAT: ReadonlySet<string> = new Set(['NO_EFFECT', 'CODEC_NOT_HELD']);

/** Drops warnings that follow from a mistaken format: in the intended format, the options have an effect and the codecs fit. */
export const withoutEffects = (ofFormat: readonly Warning[], others: readonly Warning[]): readonly Warning[] =>
  ofFormat.length === 0 ? others : others.filter(({ code }) => !BY_FORMAT.has(code));

/** Collects the warnings about an output. A rule that throws finds nothing, and `guard` reports it. */
export const collectWarnings = (context: RequestContext, guard: FaultGuard): readonly Warning[] =>
  RULE_SETS.plan.find(context, guard, namesIn(context));

function* namesIn({ options, sharedOptions, opened }: RequestContext): Generator<string> {
  for (const { name } of options) yield name.name;
  for (const { name } of sharedOptions) yield name.name;
  for (const input of opened) for (const { name } of input.options) yield name.name;
  for (const { name } of allFilters(options)) yield name;
}

import { FORMAT_RULES, PLAN_RULES } from './plan-rules.ts';
import type { RuleFacts } from './rules.ts';
import {
  CUT_RULES,
  FILTER_RULES,
  FORESEEN_RULES,
  FORESEEN_STREAM_RULES,
  ROUGH_FILTER_RULES,
  RUN_RULES,
} from './run-rules.ts';

/** When rules run. `plan`: when a request is checked. `files`: before the run, by what is in the inputs. `run`: after the run. */
export type RulePhase = 'plan' | 'files' | 'run';

/** A rule set, without its checks. */
interface NamedRuleSet {
  readonly name: string;
  readonly phase: RulePhase;
  readonly rules: readonly RuleFacts[];
}

/** All rule sets. */
export const RULE_SETS: readonly NamedRuleSet[] = [
  { name: 'FORMAT_RULES', phase: 'plan', rules: FORMAT_RULES.rules },
  { name: 'PLAN_RULES', phase: 'plan', rules: PLAN_RULES.rules },
  { name: 'FORESEEN_STREAM_RULES', phase: 'files', rules: FORESEEN_STREAM_RULES.rules },
  { name: 'FORESEEN_RULES', phase: 'files', rules: FORESEEN_RULES.rules },
  { name: 'FILTER_RULES', phase: 'files', rules: FILTER_RULES.rules },
  { name: 'ROUGH_FILTER_RULES', phase: 'files', rules: ROUGH_FILTER_RULES.rules },
  { name: 'CUT_RULES', phase: 'files', rules: CUT_RULES.rules },
  { name: 'RUN_RULES', phase: 'run', rules: RUN_RULES.rules },
];

import type { FinishedPass } from './finished-pass.ts';
import type { MediaFacts } from './media-facts.ts';
import type { OptionFacts } from './option-facts.ts';

/** What the rules about a run look at. */
export interface RunContext<Pass = FinishedPass> {
  readonly facts: MediaFacts;
  readonly pass: Pass;
  readonly options: OptionFacts;
}

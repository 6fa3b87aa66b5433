import { joinFindings, type OutputElement } from '@telecine/contract/domain/output-findings.ts';
import type { Plan, PlannedOutput, Warning } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { ofKind } from './facts/converted-streams.ts';
import type { FinishedPass } from './facts/finished-pass.ts';
import { MediaFacts, placed } from './facts/media-facts.ts';
import { readOptionFacts } from './facts/option-facts.ts';
import { RULE_SETS } from './rule-sets.ts';
import type { FaultGuard } from './rules.ts';

/** Returns warnings about a successful run that the plan does not contain. `guard` reports a rule that throws. Pure. */
export function findRunWarnings(pass: FinishedPass, guard: FaultGuard): readonly Warning[] {
  const { plan } = pass;
  const options = readOptionFacts(plan.passes.at(-1) ?? []);
  const facts = new MediaFacts(plan, pass.inputs, pass.used, writtenLengths(pass));
  const known = new Set(plan.warnings.map(({ code, field }) => `${code} ${field}`));
  // The plan already warned that only one of several images is shown, with a fix that shows all of them.
  const hasUnjoined = known.has('UNUSED_INPUT /inputs');
  const isKnown = ({ code, field = '' }: Warning): boolean =>
    known.has(`${code} ${field === '/output' ? plan.output.field : field}`) ||
    (hasUnjoined && OF_ONE_IMAGE.has(code) && field.startsWith('/inputs/'));
  return RULE_SETS.run
    .find({ facts, pass, options }, guard)
    .map((one) => placed(facts, one))
    .filter((one) => !isKnown(one));
}

function writtenLengths({ writtenSeconds, lastBlock, outputStreams }: FinishedPass): MediaFacts['written'] & {} {
  const [video, ...others] = ofKind(outputStreams, 'video');
  const [frames, fps] = others.length === 0 ? [lastBlock?.frame, video?.fps] : [];
  return {
    ...(writtenSeconds !== undefined && { seconds: writtenSeconds }),
    ...(frames !== undefined && fps !== undefined && { videoSeconds: frames / fps }),
  };
}

/** Codes of warnings about one image. They are dropped if the plan already warned that several images are not joined. */
const OF_ONE_IMAGE: ReadonlySet<string> = new Set(['UNUSED_INPUT', 'SHORT_OUTPUT', 'UNEQUAL_LENGTHS']);

/** Joins the warnings about the outputs of a run. `found`: a list for each output, in the order of the plan. */
export const warningsOfRun = ({ outputs }: Plan, found: readonly (readonly Warning[])[]): readonly Warning[] =>
  outputs.some(({ field }) => field === '/output') ? found.flat() : joinFindings(outputs.map(elementOf), found);

function elementOf({ field, fields = {}, path }: PlannedOutput): OutputElement {
  const pointer = field.replace(/\/output$/, '');
  const start = `${pointer}/parameters/`;
  const own = Object.values(fields).filter((one) => one.startsWith(start));
  return { pointer, path, hasFormat: false, names: new Set(own.map((one) => pointerKey(one.slice(start.length)))) };
}

import { joinFindings, type OutputElement } from '../../domain/output-findings.ts';
import type { Plan, PlannedOutput, Warning } from '../../domain/plan.ts';
import { pointerKey } from '../../domain/problem.ts';

/** Joins the warnings about the outputs of a run. `found`: for each output of the plan. */
export const warningsOfRun = ({ outputs }: Plan, found: readonly (readonly Warning[])[]): readonly Warning[] =>
  outputs.some(({ field }) => field === '/output') ? found.flat() : joinFindings(outputs.map(elementOf), found);

function elementOf({ field, fields = {}, path }: PlannedOutput): OutputElement {
  const pointer = field.replace(/\/output$/, '');
  const start = `${pointer}/parameters/`;
  const own = Object.values(fields).filter((one) => one.startsWith(start));
  return { pointer, path, hasFormat: false, names: new Set(own.map((one) => pointerKey(one.slice(start.length)))) };
}

import type { PlannedChunks } from '@telecine/contract/domain/chunks.ts';
import { joinFindings, type OutputElement } from '@telecine/contract/domain/output-findings.ts';
import type { Plan, PlannedSeek } from '@telecine/contract/domain/plan.ts';
import { type FieldError, MAX_FIELD_ERRORS } from '@telecine/contract/domain/problem.ts';
import { planChunks } from '../chunks/templates.ts';
import { severalOutputsArgv } from './argv.ts';
import { checkTogether } from './checks/check-together.ts';
import { graphUse } from './checks/filtergraphs.ts';
import { otherOutputs } from './checks/maps.ts';
import { checkSentSize } from './checks/resource-limits.ts';
import { addLimitedRange } from './encoders/colour-range.ts';
import { usesSvtLevels } from './encoders/thread-count.ts';
import { withoutHls } from './outputs/encryption.ts';
import type { PlanFacts, PlanOrErrors } from './plan-facts.ts';
import { draftOutput, type OutputDraft, type PlannedPart, planOutput } from './plan-output.ts';
import { hasKey } from './request/argv-option.ts';
import type { OutputRequest, ParsedRequest } from './request/parse-request.ts';

/** Returns the plan of a request, or all its errors. Pure. */
export function plan(request: ParsedRequest, facts: PlanFacts): PlanOrErrors {
  const [only, ...others] = request.outputs;
  if (only === undefined) throw new RangeError('The request has no output.');
  const tooLong = checkSentSize(request);
  if (tooLong !== undefined) return { ok: false, errors: [tooLong] };
  if (only.element !== undefined || others.length > 0) return planSeveral(request, facts);
  const draft = draftOutput(only, facts);
  const part = planOutput(draft);
  return part === undefined ? { ok: false, errors: draft.context.errors } : { ok: true, plan: planOf([part], facts) };
}

/** Plans each element of `outputs` alone, and joins the plans. Stops when there are more errors than a reply can have. */
function planSeveral({ outputs: requests }: ParsedRequest, facts: PlanFacts): PlanOrErrors {
  const drafts = untilEnough(requests, (request) => draftOutput(request, facts), errorsOf);
  const outputs = requests.slice(0, drafts.length);
  const options = drafts.map(({ resolved }) => resolved.outputOptions);
  const { catalogue } = facts;
  const isOnly = requests.length === 1;
  const [first] = drafts;
  const others =
    first === undefined || isOnly
      ? []
      : otherOutputs(options, (all) =>
          graphUse(all, first.resolved.inputs, { catalogue, scope: first.context.request.scope }),
        );
  const planned = untilEnough(
    drafts,
    (draft, index) => (isOnly ? planOutput(draft) : planOutput(draft, others[index], `${index}/`)),
    (_part, draft) => errorsOf(draft),
  );
  const parts = planned.flatMap((part) => part ?? []);
  const elements = requests.map(elementOf);
  const found = drafts.slice(0, planned.length).map(errorsOf);
  const errors: readonly FieldError[] = [
    ...joinFindings(elements, found),
    ...(isOnly ? [] : checkTogether(outputs, drafts, parts)),
    ...withoutHls(
      requests,
      requests.map((_, index) => drafts[index]?.output.format?.muxer),
    ),
  ];
  if (errors.length > 0 || parts.length < requests.length) return { ok: false, errors };
  const joined = planOf(parts, facts);
  const named = joined.outputs.map((output, index) => ({
    ...output,
    field: `/outputs/${index}/output`,
    // With several outputs, each output also has its own argv, as if it were the only output.
    ...(isOnly ? {} : { argv: parts[index]?.plan.passes[0] ?? [] }),
  }));
  const warnings = joinFindings(
    elements,
    parts.map(({ plan: { warnings: own } }) => own),
  );
  return { ok: true, plan: { ...joined, outputs: named, warnings } };
}

const errorsOf = ({ context }: OutputDraft): readonly FieldError[] => context.errors;

/** Makes a result for each item. Stops when there are more different errors than a reply can have. */
function untilEnough<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R,
  errorsIn: (result: R, item: T) => readonly FieldError[],
): readonly R[] {
  const found = new Set<string>();
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (found.size > MAX_FIELD_ERRORS) break;
    const result = make(item, index);
    results.push(result);
    for (const { field, code, message } of errorsIn(result, item)) found.add(JSON.stringify([field, code, message]));
  }
  return results;
}

const elementOf = ({ output, element }: OutputRequest): OutputElement => ({
  pointer: '',
  hasFormat: false,
  names: new Set(),
  path: typeof output === 'string' ? output : '',
  ...element,
});

/** Joins the plans of outputs to the plan of one run of ffmpeg. */
function planOf(parts: readonly PlannedPart[], facts: PlanFacts): Plan {
  const [first, ...others] = parts;
  if (first === undefined) throw new RangeError('There is no output.');
  const { output: _, span: __, encoders: ___, fields: ____, ...plan } = first.plan;
  const devices = [...new Set(parts.flatMap((part) => part.plan.devices ?? []))].sort();
  const faults = parts.flatMap((part) => part.plan.faults ?? []);
  return {
    ...plan,
    ...(devices.length > 0 && { devices }),
    ...(faults.length > 0 && { faults }),
    outputs: parts.map(({ plan: { output, span, encoders, fields } }) => ({
      ...output,
      span,
      encoders,
      ...(fields && { fields }),
    })),
    ...(others.length > 0 && { passes: [severalOutputsArgv(parts.map((part) => part.parts))], ...commonSeeks(parts) }),
    ...(facts.chunks === true && { chunks: chunksOf(first.plan, parts, facts) }),
  };
}

/** What the outputs of one run need of its inputs. How an input begins is the same for all of them, so that an output which copies decides it. */
function commonSeeks(parts: readonly PlannedPart[]): Pick<Plan, 'seeks'> {
  const inputs = parts[0]?.parts.inputs ?? [];
  const all = parts.map(({ plan: { seeks = [] } }) => seeks);
  const keyOf = ({ input, start }: PlannedSeek): string => `${input} ${start}`;
  const isCommon = (seek: PlannedSeek): boolean =>
    !hasKey(inputs[seek.input]?.options ?? [], 'ss') ||
    all.every((own) => own.some((one) => keyOf(one) === keyOf(seek)));
  const unique = new Map(all.flat().flatMap((seek) => (isCommon(seek) ? [[keyOf(seek), seek] as const] : [])));
  return unique.size === 0 ? {} : { seeks: [...unique.values()] };
}

/** How a conversion runs in chunks, or why it runs whole. */
const chunksOf = (
  { join, cut, transcript }: PlannedPart['plan'],
  parts: readonly PlannedPart[],
  { catalogue: { build } }: PlanFacts,
): PlannedChunks =>
  planChunks(
    parts.map((part) => part.parts),
    {
      inputs: parts[0]?.parts.inputs ?? [],
      // Without the limits of threads, which the chunks set themselves.
      outputs: parts.map(({ encoded }) => ({
        ...encoded,
        options: addLimitedRange(encoded.options, encoded.encoders, build),
      })),
      isJoin: join !== undefined,
      isCut: cut !== undefined,
      isTranscript: transcript !== undefined,
    },
    { svtLevels: usesSvtLevels(build) },
  );

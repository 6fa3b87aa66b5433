import type { PlannedChunks } from '@telecine/contract/domain/chunks.ts';
import { joinFindings, type OutputElement } from '@telecine/contract/domain/output-findings.ts';
import type { InputProbe, Plan, PlanDraft, Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, MAX_FIELD_ERRORS } from '@telecine/contract/domain/problem.ts';
import { planChunks } from '../chunks/templates.ts';
import { severalOutputsArgv } from './argv.ts';
import { checkTogether } from './checks/check-together.ts';
import { graphUse } from './checks/filtergraphs.ts';
import { otherOutputs } from './checks/maps.ts';
import { checkSentSize } from './checks/resource-limits.ts';
import { draftedOutput, draftOutput, type OutputDraft, readOutput } from './draft-output.ts';
import { addLimitedRange } from './encoders/colour-range.ts';
import { usesSvtLevels } from './encoders/thread-count.ts';
import { finishOutput, type PlannedPart } from './finish-output.ts';
import { withoutHls } from './outputs/encryption.ts';
import type { DraftFacts, InputFacts, PlanFacts, PlanOrErrors } from './plan-facts.ts';
import { hasKey } from './request/argv-option.ts';
import type { OutputRequest, ParsedRequest } from './request/parse-request.ts';

/** A request with all that is decided before its inputs are probed: the first half of its plan. */
export interface DraftedRequest extends PlanDraft {
  /** What is already known to be wrong. `finishPlan` returns these errors, and those that it finds itself. */
  readonly errors: readonly FieldError[];
  readonly parsed: ParsedRequest;
  readonly facts: DraftFacts;
  /** Fewer than the outputs of the request if there are more errors than a reply can have. */
  readonly drafts: readonly OutputDraft[];
}

/** Returns the plan of a request, or all its errors. Pure. */
export const plan = (request: ParsedRequest, { media = [], ...facts }: PlanFacts): PlanOrErrors =>
  finishPlan(draftPlan(request, facts), media);

/** Reads and checks a request, and says which files it names and what to find out about them. Pure. */
export function draftPlan(parsed: ParsedRequest, facts: DraftFacts): DraftedRequest {
  const tooLong = checkSentSize(parsed);
  if (tooLong !== undefined)
    return { parsed, facts, errors: [tooLong], drafts: [], inputs: [], outputs: [], probes: [] };
  const drafts = draftOutputs(parsed, facts);
  const [first] = drafts;
  if (first === undefined) throw new RangeError('The request has no output.');
  const outputs = drafts.flatMap((draft) => draftedOutput(draft) ?? []);
  const { kind, mode } = first.checked?.arrangement ?? {};
  return {
    ...{ parsed, facts, drafts },
    errors: findingsOf(parsed, drafts),
    inputs: first.options.inputs.map(({ source }) => source),
    outputs: isSingle(parsed)
      ? outputs
      : outputs.map((output, index) => ({ ...output, field: `/outputs/${index}/output` })),
    probes: commonProbes(drafts),
    ...(kind === 'cut' && mode !== undefined && { cutMode: mode }),
  };
}

/** Plans a request with what was found in its inputs. Returns the plan, or all its errors. Pure. */
export function finishPlan(
  { parsed, facts, errors: ofDraft, drafts }: DraftedRequest,
  media: InputFacts,
): PlanOrErrors {
  if (drafts.length === 0) return { ok: false, errors: ofDraft };
  const { outputs: requests } = parsed;
  const finished = untilEnough(drafts, (draft) => finishOutput(draft, media));
  const parts = finished.flatMap(({ part }) => part ?? []);
  const isOnly = requests.length === 1;
  const errors = [
    ...findingsOf(parsed, finished),
    ...(isOnly ? [] : checkTogether(requests.slice(0, drafts.length), drafts, parts)),
    ...(isSingle(parsed)
      ? []
      : withoutHls(
          requests,
          requests.map((_, index) => drafts[index]?.output.format?.muxer),
        )),
  ];
  if (errors.length > 0 || parts.length < requests.length) return { ok: false, errors };
  const joined = planOf(parts, facts);
  if (isSingle(parsed)) return { ok: true, plan: joined };
  const named = joined.outputs.map((output, index) => ({
    ...output,
    field: `/outputs/${index}/output`,
    // With several outputs, each output also has its own argv, as if it were the only output.
    ...(isOnly ? {} : { argv: parts[index]?.plan.passes[0] ?? [] }),
  }));
  const joinWarnings = (of: (part: PlannedPart) => readonly Warning[] | undefined): readonly Warning[] =>
    joinFindings(
      requests.map(elementOf),
      parts.map((part) => of(part) ?? []),
    );
  const warnings = joinWarnings(({ plan: own }) => own.warnings);
  const inputWarnings = joinWarnings(({ plan: own }) => own.inputWarnings);
  return { ok: true, plan: { ...joined, outputs: named, warnings, inputWarnings } };
}

/** Drafts each output of a request as if it were the only one. Stops when there are more errors than a reply can have. */
function draftOutputs({ outputs: requests }: ParsedRequest, facts: DraftFacts): readonly OutputDraft[] {
  const read = untilEnough(requests, (request) => readOutput(request, facts));
  const isOnly = requests.length === 1;
  const [first] = read;
  const options = read.map((one) => one.options.outputOptions);
  const { catalogue } = facts;
  const others =
    first === undefined || isOnly
      ? []
      : otherOutputs(options, (all) =>
          graphUse(all, first.options.inputs, { catalogue, scope: first.context.request.scope }),
        );
  return untilEnough(read, (one, index) => (isOnly ? draftOutput(one) : draftOutput(one, others[index], `${index}/`)));
}

/** True for a request with `output`, and false for one with `outputs`. */
const isSingle = ({ outputs: [only] }: ParsedRequest): boolean => only?.element === undefined;

interface WithErrors {
  readonly errors: readonly FieldError[];
}

/** The errors of outputs, with fields of the whole request. */
const findingsOf = (parsed: ParsedRequest, found: readonly WithErrors[]): readonly FieldError[] =>
  joinFindings(
    parsed.outputs.map(elementOf),
    found.map(({ errors }) => errors),
  );

/** Makes a result for each item. Stops when there are more different errors than a reply can have. */
function untilEnough<T, R extends WithErrors>(items: readonly T[], make: (item: T, index: number) => R): readonly R[] {
  const found = new Set<string>();
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (found.size > MAX_FIELD_ERRORS) break;
    const result = make(item, index);
    results.push(result);
    for (const { field, code, message } of result.errors) found.add(JSON.stringify([field, code, message]));
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
function planOf(parts: readonly PlannedPart[], facts: DraftFacts): Plan {
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
    ...(others.length > 0 && { passes: [severalOutputsArgv(parts.map((part) => part.parts))] }),
    ...(facts.chunks === true && { chunks: chunksOf(first.plan, parts, facts) }),
  };
}

/**
 * What the outputs of one run need to know of its inputs. All outputs share the start of an input, so an output that copies decides about
 * the start.
 */
function commonProbes(drafts: readonly OutputDraft[]): readonly InputProbe[] {
  const arranged = drafts.map(({ checked }) => checked?.arrangement);
  const inputs = arranged[0]?.inputs ?? [];
  const all = arranged.map((one) => one?.probes ?? []);
  const keyOf = ({ input, start }: InputProbe): string => `${input} ${start}`;
  const isCommon = (probe: InputProbe): boolean =>
    !hasKey(inputs[probe.input]?.options ?? [], 'ss') ||
    all.every((own) => own.some((one) => keyOf(one) === keyOf(probe)));
  const needed = all.length < 2 ? all.flat() : all.flat().filter(isCommon);
  return [...new Map(needed.map((probe) => [keyOf(probe), probe])).values()];
}

/** How a conversion runs in chunks, or why it runs whole. */
const chunksOf = (
  { join, cut, transcript }: PlannedPart['plan'],
  parts: readonly PlannedPart[],
  { catalogue: { build } }: DraftFacts,
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

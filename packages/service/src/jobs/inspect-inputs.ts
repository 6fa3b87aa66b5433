import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Cut } from '@telecine/contract/domain/cut.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { InputProbe, Plan, ProbedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { measuredParts, measurementOf, startsOfParts } from '@telecine/ffmpeg/plan/joining/cut-facts.ts';
import type { InputMedia, RequestDraft } from './ports/ffmpeg.ts';

/** How inputs are read: those that a job has staged, or those of a request whose client waits for the reply. */
export interface Inspector {
  /**
   * Probes an input, or the part of it that begins at `start`. `known`: an earlier probe of the same input. Resolves to
   * undefined if the plan has to assume the content.
   */
  readonly probe: (probe: InputProbe, known: ProbedInput | undefined) => Promise<ProbedInput | undefined>;
  /** Runs a measurement. Absent: nothing is measured, and no key frames of copied parts are looked for. */
  readonly measure?: (plan: Plan) => Promise<Measurements>;
}

/** How many inputs are probed at the same time. A probe uses one core for 50 ms. */
const AT_ONCE = 2;

/** Finds out what the plan of a request depends on. Throws the errors of the inspector, and the failure of a measurement. */
export async function inspectInputs(
  draft: Omit<RequestDraft<unknown>, 'finish'>,
  request: Pick<ConversionRequest, 'cut'>,
  { probe, measure }: Inspector,
): Promise<InputMedia> {
  const media: (ProbedInput | undefined)[] = draft.inputs.map(() => undefined);
  await inTurns([...Map.groupBy(draft.probes, ({ input }) => input)], async ([input, probes]) => {
    for (const one of probes) media[input] = (await probe(one, media[input])) ?? media[input];
  });
  const [video, ...others] = media;
  const { cut } = request;
  if (cut === undefined || draft.cutMode === undefined || video === undefined || measure === undefined) return media;
  const spec = measurementOf(cut, video);
  const planned = spec && draft.planMeasurement(spec);
  if (planned?.ok === false) throw new JobFailed(failureOf(planned.errors));
  const measured = planned && measuredParts(await measure(planned.plan));
  if (measured !== undefined && 'code' in measured) throw new JobFailed(measured);
  const known = { ...video, ...(measured && { measured }) };
  return [draft.cutMode === 'copy' ? await withKeys(cut, draft.inputs[0]?.path ?? '', known, probe) : known, ...others];
}

/** Finds the key frames at which the copied parts of a video begin. */
async function withKeys(cut: Cut, path: string, video: ProbedInput, probe: Inspector['probe']): Promise<ProbedInput> {
  const keys = await inTurns(startsOfParts(cut, path, video), async (start) => {
    const found = await probe({ input: 0, start, needsLength: false, needsHeaders: true }, video);
    return found?.keySeconds;
  });
  return { ...video, keys };
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}

/** The failure of a job whose inputs do not fit the request. It has the text of the first error of the plan. */
export function failureOf([error]: readonly FieldError[]): Failure {
  const { message = 'The inputs cannot be joined, cut or transcribed.', fix } = (error && suggest(error)) ?? {};
  return { code: 'INPUT_INVALID', message, ...(fix === undefined ? {} : { fix }) };
}

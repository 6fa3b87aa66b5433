import { z } from 'zod';
import { Problem } from '../domain/problem.ts';
import { type AskedFacts, type AskForFacts, MAX_FACTS, noAnswer } from '../ffmpeg/catalogue/asked-facts.ts';
import { BuildUnavailable } from '../ffmpeg/catalogue/build-unavailable.ts';
import { componentKey, type MissingFacts, stillMissing } from '../ffmpeg/catalogue/catalogue.ts';
import { catalogueKeyOf, isRequestableComponent, isRequestableOption } from '../ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '../ffmpeg/catalogue/live-catalogue.ts';
import { completeKeyOf, LIVE_SECONDS, type TaskStore, type WorkerStore } from './ports.ts';
import { requestTask } from './request-task.ts';
import type { TaskKind } from './task-runner.ts';

/** Workers with another build, or with another version of Telecine that needs other facts, have other kinds of tasks. */
const kindOf = (catalogueKey: string): string => `facts:${catalogueKey}`;

/** How long a service waits for the facts of a question. A worker needs some 100 ms, and more on a busy machine. */
const WAIT_SECONDS = 15;

/** The questions that a worker answers at a time. Its queries have their own limit. */
const SLOTS = 4;

/** The tasks are not those of a client: what one client needs, all others have afterwards. */
const CLIENT_ID = 'catalogue';

const Question = z.object({
  options: z.array(z.string()).max(MAX_FACTS),
  components: z
    .array(z.object({ kind: z.enum(['encoder', 'decoder', 'muxer', 'demuxer', 'filter', 'bsf']), name: z.string() }))
    .max(MAX_FACTS),
});

/** `unavailable`: why ffmpeg gave no answer to a part of the question. */
const Answer = z.object({
  options: z.array(
    z.tuple([
      z.string(),
      z.object({ argument: z.boolean(), place: z.enum(['global', 'input', 'output', 'both', 'nowhere']) }),
    ]),
  ),
  components: z.array(z.tuple([z.string(), z.string()])),
  unavailable: z
    .object({ what: z.string(), fix: z.string().exactOptional(), retryAfterSeconds: z.number() })
    .exactOptional(),
});

/**
 * The tasks by which a worker says what its ffmpeg offers, for services that have only its partial catalogue. A task comes from
 * outside: what requests may not use is not asked of ffmpeg.
 */
export function factsTask(live: Pick<LiveCatalogue, 'current' | 'ensure'>): TaskKind {
  const ensureOnly = (missing: MissingFacts) => live.ensure((known) => stillMissing(known, missing));
  return {
    kind: kindOf(catalogueKeyOf(live.current.build)),
    slots: SLOTS,
    perClient: SLOTS,
    run: async (_clientId, request): Promise<z.input<typeof Answer>> => {
      const read = Question.safeParse(request);
      if (!read.success) throw new Problem('INVALID_REQUEST', 'The task does not name options and components.');
      const { options, components } = read.data;
      const rejected =
        options.find((name) => !isRequestableOption(name)) ??
        components.find((one) => !isRequestableComponent(live.current, one));
      if (rejected !== undefined)
        throw new Problem('INVALID_REQUEST', `Requests may not use ${JSON.stringify(rejected)} of this ffmpeg.`);
      const queries = [
        ...options.map((name) => ensureOnly({ options: [name], components: [] })),
        ...components.map((one) => ensureOnly({ options: [], components: [one] })),
      ];
      const faults = (await Promise.allSettled(queries)).flatMap((one) =>
        one.status === 'rejected' ? one.reason : [],
      );
      const other: unknown = faults.find((fault) => !(fault instanceof BuildUnavailable));
      if (other !== undefined) throw other;
      const unavailable = faults.find((fault) => fault instanceof BuildUnavailable);
      const { cli, components: known } = live.current;
      return {
        options: options.flatMap((name) => {
          const facts = cli.get(name) ?? undefined;
          return facts === undefined ? [] : [[name, facts]];
        }),
        components: components.map(componentKey).flatMap((key) => {
          const help = known.get(key);
          return help === undefined ? [] : [[key, help.text]];
        }),
        ...(unavailable && { unavailable: describeFault(unavailable) }),
      };
    },
  };
}

const describeFault = ({ fault: { what, fix }, retryAfterSeconds = 0 }: BuildUnavailable) => ({
  what,
  ...(fix !== undefined && { fix }),
  retryAfterSeconds,
});

/** Asks live workers for facts about their builds. `signal`: the service stops. */
export const askWorkers =
  (
    { workers, tasks }: { readonly workers: Pick<WorkerStore, 'seenWithin'>; readonly tasks: TaskStore },
    signal: AbortSignal,
  ): AskForFacts =>
  async (build, missing): Promise<AskedFacts> => {
    const key = catalogueKeyOf(build);
    const live = await workers.seenWithin(LIVE_SECONDS);
    // One that has just stopped counts, because it may be restarting.
    if (!live.some((one) => completeKeyOf(one.catalogueKey) === key)) throw noAnswer(build);
    const task = { kind: kindOf(key), clientId: CLIENT_ID, request: missing };
    const answer = await requestTask(tasks, task, { seconds: WAIT_SECONDS, signal }).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'UNAVAILABLE' ? noAnswer(build) : error;
    });
    const { unavailable, ...facts } = Answer.parse(answer);
    if (unavailable === undefined) return facts;
    const { retryAfterSeconds, ...fault } = unavailable;
    return { ...facts, fault: new BuildUnavailable(build, fault, retryAfterSeconds) };
  };

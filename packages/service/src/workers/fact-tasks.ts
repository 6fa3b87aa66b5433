import { Problem } from '@telecine/contract/domain/problem.ts';
import { BuildUnavailable } from '@telecine/ffmpeg/catalogue/build.ts';
import { componentKey, factsOf, stillMissing } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import {
  catalogueKeyOf,
  isRequestableComponent,
  isRequestableOption,
} from '@telecine/ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '@telecine/ffmpeg/catalogue/live-catalogue.ts';
import { type FactsResult, MAX_FACTS, type RequestFacts } from '@telecine/ffmpeg/catalogue/remote-facts.ts';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import type { TaskStore } from './ports/task-store.ts';
import { completeKeyOf, LIVE_SECONDS, type WorkerRecord, type WorkerStore } from './ports/worker-store.ts';
import { requestTask } from './request-task.ts';
import type { TaskKind } from './task-runner.ts';

/**
 * The kind of the tasks for one catalogue. Another build has another kind, and so has the same build for a version of
 * Telecine that needs other facts.
 */
const kindOf = (catalogueKey: string): string => `facts:${catalogueKey}`;

/** How long a service waits for the facts, in seconds. A worker usually needs 100 ms, and more on a busy machine. */
const WAIT_SECONDS = 15;

/** How long, at most, a worker works on a task. Then it returns the facts so far, while the service still waits. */
const RESULT_MS = 8000;

/** How many tasks a worker runs at a time: in all, and for one service. */
const SLOTS = 4;
const PER_SERVICE = 2;

const TaskRequest = z.object({
  options: z.array(z.string()).max(MAX_FACTS),
  components: z
    .array(z.object({ kind: z.enum(['encoder', 'decoder', 'muxer', 'demuxer', 'filter', 'bsf']), name: z.string() }))
    .max(MAX_FACTS),
});

/**
 * The result of a task. `faults`: why ffmpeg gave no answer, by the key of the fact. Facts that were not answered in
 * time are absent.
 */
const TaskResult = z.object({
  options: z.array(
    z.tuple([
      z.string(),
      z.object({ argument: z.boolean(), place: z.enum(['global', 'input', 'output', 'both', 'nowhere']) }),
    ]),
  ),
  components: z.array(z.tuple([z.string(), z.string()])),
  faults: z.array(
    z.tuple([
      z.string(),
      z.object({ what: z.string(), fix: z.string().exactOptional(), retryAfterSeconds: z.number() }),
    ]),
  ),
});

/**
 * Returns the task with which a worker reports facts about its ffmpeg. It runs ffmpeg only for names that requests may
 * use.
 */
export function factsTask(live: Pick<LiveCatalogue, 'current' | 'ensure'>): TaskKind {
  return {
    kind: kindOf(catalogueKeyOf(live.current.build)),
    slots: SLOTS,
    perClient: PER_SERVICE,
    run: async (_clientId, request): Promise<z.input<typeof TaskResult>> => {
      const read = TaskRequest.safeParse(request);
      if (!read.success) throw new Problem('INVALID_REQUEST', 'The task needs the lists "options" and "components".');
      const { options, components } = read.data;
      const rejected =
        options.find((name) => !isRequestableOption(name)) ??
        components.find((one) => !isRequestableComponent(live.current, one));
      if (rejected !== undefined)
        throw new Problem('INVALID_REQUEST', `Requests may not use ${JSON.stringify(rejected)} of this ffmpeg.`);
      const failed: (readonly [key: string, fault: unknown])[] = [];
      const queries = factsOf(read.data).map((fact) =>
        live.ensure((known) => stillMissing(known, fact)).catch((fault: unknown) => failed.push([fact.key, fault])),
      );
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, RESULT_MS);
      await Promise.race([Promise.all(queries), limit.promise]);
      clearTimeout(timer);
      const faults = failed.map(([key, fault]) => {
        if (!(fault instanceof BuildUnavailable)) throw fault;
        return [key, describeFault(fault)] satisfies [string, unknown];
      });
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
        faults,
      };
    },
  };
}

const describeFault = ({ fault: { what, fix }, retryAfterSeconds }: BuildUnavailable) => ({
  what,
  ...(fix !== undefined && { fix }),
  retryAfterSeconds,
});

const NOTHING: FactsResult = { options: [], components: [], faults: new Map() };

/** Requests facts from live workers. `signal`: aborted when the service stops. */
export function requestFacts(
  { workers, tasks }: { readonly workers: Pick<WorkerStore, 'seenWithin'>; readonly tasks: TaskStore },
  signal: AbortSignal,
): RequestFacts {
  // Use the id of this service in place of a client, so that services take turns: the facts for one client are used for
  // all.
  const clientId = `service ${uuid()}`;
  return async (build, missing) => {
    const key = catalogueKeyOf(build);
    // A worker that has just stopped counts, because it may be restarting. A draining worker does not count, because it
    // takes no tasks.
    const isCandidate = ({ catalogueKey, state }: WorkerRecord): boolean =>
      completeKeyOf(catalogueKey) === key && state !== 'draining';
    if (!(await workers.seenWithin(LIVE_SECONDS)).some(isCandidate)) return NOTHING;
    const task = { kind: kindOf(key), clientId, request: missing };
    const result = await requestTask(tasks, task, { seconds: WAIT_SECONDS, signal }).catch((error: unknown) => {
      if (signal.aborted || (error instanceof Problem && error.code === 'UNAVAILABLE')) return undefined;
      throw error;
    });
    if (result === undefined) return NOTHING;
    const { faults, ...facts } = TaskResult.parse(result);
    const unavailable = faults.map(([fact, { retryAfterSeconds, ...fault }]) => {
      return [fact, new BuildUnavailable(build, { ...fault, isOfWorker: true }, retryAfterSeconds)] as const;
    });
    return { ...facts, faults: new Map(unavailable) };
  };
}

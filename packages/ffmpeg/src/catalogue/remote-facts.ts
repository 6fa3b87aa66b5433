import { type Build, BuildUnavailable } from './build.ts';
import { type Catalogue, type CliFacts, type Fact, factsOf, type MissingFacts, stillMissing } from './catalogue.ts';
import type { CatalogueFrom } from './changed-source.ts';

/** The facts that a worker reports about its build. */
export interface FactsResult {
  readonly options: readonly (readonly [name: string, facts: CliFacts])[];
  /** The help of components, by `componentKey`. */
  readonly components: readonly (readonly [key: string, help: string])[];
  /** Why facts are missing, by the key of the fact. A missing fact may have no reason. */
  readonly faults: ReadonlyMap<string, Error>;
}

/** Queues a task for facts about a build, which a worker with the build runs. The result is empty if no worker answers in time. */
export type RequestFacts = (build: Build, missing: MissingFacts) => Promise<FactsResult>;

/** The maximum number of facts in one task, and of tasks that run at a time. Further facts wait and share the next task. */
export const MAX_FACTS = 16;
const MAX_TASKS = 4;

const RETRY_SECONDS = 5;

interface Waiting {
  readonly fact: Fact;
  readonly settle: (fault: unknown) => void;
}

/**
 * A catalogue that gets missing facts through tasks of workers, and stores them. A fact that several callers need is requested once.
 * Callers need only facts that requests may use, so the memory is bounded.
 */
export function remoteFacts(initial: Catalogue, request: RequestFacts): CatalogueFrom {
  let current = initial;
  /** The requested facts by key. Each promise resolves to the fault of the fact, or to undefined. */
  const pending = new Map<string, Promise<unknown>>();
  const waiting: Waiting[] = [];
  let tasks = 0;

  const add = ({ options, components }: FactsResult, batch: readonly Fact[]): void => {
    const keys = new Set(batch.map(({ key }) => key));
    const names = new Set(batch.flatMap((fact) => fact.options));
    const wanted = {
      options: options.filter(([name]) => names.has(name)),
      components: components.filter(([key]) => keys.has(key)),
    };
    if (wanted.options.length + wanted.components.length === 0) return;
    current = {
      ...current,
      cli: new Map([...current.cli, ...wanted.options]),
      components: new Map([...current.components, ...wanted.components.map(([key, text]) => [key, { text }] as const)]),
    };
  };
  const requestNext = async (): Promise<void> => {
    const batch = waiting.splice(0, MAX_FACTS);
    const facts = batch.map(({ fact }) => fact);
    const settleAll = (faultOf: (key: string) => unknown): void => {
      for (const { fact, settle } of batch) {
        pending.delete(fact.key);
        settle(faultOf(fact.key));
      }
    };
    tasks += 1;
    try {
      const result = await request(current.build, {
        options: facts.flatMap((fact) => fact.options),
        components: facts.flatMap((fact) => fact.components),
      });
      add(result, facts);
      settleAll((key) => result.faults.get(key));
    } catch (error) {
      settleAll(() => error);
    } finally {
      tasks -= 1;
      requestWaiting();
    }
  };
  const requestWaiting = (): void => {
    while (tasks < MAX_TASKS && waiting.length > 0) void requestNext();
  };
  /** Resolves to the faults of the facts that are still missing. */
  const query = async (missing: MissingFacts): Promise<readonly unknown[]> => {
    const results = factsOf(missing).map(async (fact): Promise<readonly unknown[]> => {
      let result = pending.get(fact.key);
      if (result === undefined) {
        const { promise, resolve } = Promise.withResolvers<unknown>();
        pending.set(fact.key, promise);
        waiting.push({ fact, settle: resolve });
        result = promise;
      }
      const fault = await result;
      return stillMissing(current, fact) === undefined ? [] : [fault ?? unknownFact(current.build, fact)];
    });
    requestWaiting();
    return (await Promise.all(results)).flat();
  };

  return {
    get current() {
      return current;
    },
    ensure: async (findMissing) => {
      for (let missing = findMissing(current); missing !== undefined; missing = findMissing(current)) {
        const [fault] = await query(missing);
        if (fault !== undefined) throw fault;
      }
      return current;
    },
  };
}

const unknownFact = (build: Build, { subject }: Fact): BuildUnavailable =>
  new BuildUnavailable(
    build,
    {
      what: `is not completely known yet, and no worker has described the ${subject}`,
      fix: `Send the request without the ${subject}`,
      isOfWorker: true,
    },
    RETRY_SECONDS,
  );

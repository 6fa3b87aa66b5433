import type { Build } from './build.ts';
import { BuildUnavailable } from './build-unavailable.ts';
import { type Catalogue, type CliFacts, componentKey, type MissingFacts, stillMissing } from './catalogue.ts';
import type { CatalogueFrom } from './changed-source.ts';

/** Facts about a build. Some of what was asked may be absent: then `fault` says why. */
export interface AskedFacts {
  readonly options: readonly (readonly [name: string, facts: CliFacts])[];
  /** The help of components, by `componentKey`. */
  readonly components: readonly (readonly [key: string, help: string])[];
  readonly fault?: Error;
}

/** Asks a machine with the build for facts. Throws `BuildUnavailable` if none answers. */
export type AskForFacts = (build: Build, missing: MissingFacts) => Promise<AskedFacts>;

/** The most facts of a question, and the most questions at a time. What comes meanwhile is asked together afterwards. */
export const MAX_FACTS = 16;
const MAX_QUESTIONS = 4;

const RETRY_SECONDS = 5;

/** An option by its name, or a component. */
type Fact = { readonly key: string } & Pick<MissingFacts, 'options' | 'components'>;

interface Waiting {
  readonly fact: Fact;
  readonly settle: (fault: unknown) => void;
}

/**
 * A catalogue whose missing facts another machine is asked for. They are kept, and a fact that several callers need is asked once.
 * Callers ask only for what requests may use of the build, so what is kept and what waits is bounded.
 */
export function askedFacts(initial: Catalogue, ask: AskForFacts): CatalogueFrom {
  let current = initial;
  /** By the key of the fact. Each resolves to the reason why there was no answer, or to undefined. */
  const asked = new Map<string, Promise<unknown>>();
  let waiting: Waiting[] = [];
  let questions = 0;

  const add = ({ options, components }: AskedFacts, facts: MissingFacts): void => {
    const keys = new Set(facts.components.map(componentKey));
    const wanted = {
      options: options.filter(([name]) => facts.options.includes(name)),
      components: components.filter(([key]) => keys.has(key)),
    };
    if (wanted.options.length + wanted.components.length === 0) return;
    current = {
      ...current,
      cli: new Map([...current.cli, ...wanted.options]),
      components: new Map([...current.components, ...wanted.components.map(([key, text]) => [key, { text }] as const)]),
    };
  };
  const settleAll = (some: readonly Waiting[], fault: unknown): void => {
    for (const { fact, settle } of some) {
      asked.delete(fact.key);
      settle(fault);
    }
  };
  const askNext = async (): Promise<void> => {
    const batch = waiting.splice(0, MAX_FACTS);
    const facts: MissingFacts = {
      options: batch.flatMap(({ fact }) => fact.options),
      components: batch.flatMap(({ fact }) => fact.components),
    };
    questions += 1;
    try {
      const answer = await ask(current.build, facts);
      add(answer, facts);
      settleAll(batch, answer.fault);
    } catch (error) {
      // Nobody answers the others either.
      const all = [...batch, ...waiting];
      waiting = [];
      settleAll(all, error);
    } finally {
      questions -= 1;
      askWaiting();
    }
  };
  const askWaiting = (): void => {
    while (questions < MAX_QUESTIONS && waiting.length > 0) void askNext();
  };
  /** Resolves to the faults of those facts that were not answered. */
  const query = async (missing: MissingFacts): Promise<readonly unknown[]> => {
    const answers = factsOf(missing).map(async (fact): Promise<readonly unknown[]> => {
      let answer = asked.get(fact.key);
      if (answer === undefined) {
        const { promise, resolve } = Promise.withResolvers<unknown>();
        asked.set(fact.key, promise);
        waiting.push({ fact, settle: resolve });
        answer = promise;
      }
      const fault = await answer;
      return stillMissing(current, fact) === undefined ? [] : [fault ?? noAnswer(current.build)];
    });
    askWaiting();
    return (await Promise.all(answers)).flat();
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

const factsOf = ({ options, components }: MissingFacts): readonly Fact[] => [
  ...options.map((name) => ({ key: `option ${name}`, options: [name], components: [] })),
  ...components.map((one) => ({ key: componentKey(one), options: [], components: [one] })),
];

/** The reply to a request that needs facts of a build which no worker gives. */
export const noAnswer = (build: Pick<Build, 'version'>): BuildUnavailable =>
  new BuildUnavailable(
    build,
    { what: 'is not known completely yet, and no worker with it answers what the request needs' },
    RETRY_SECONDS,
  );

/** A run of several actors whose steps interleave in an order of the test's choice. */
export interface Interleaving {
  /** Await it before each step of an actor that others can see. */
  step(): Promise<void>;
}

type Actor = (turn: Interleaving) => Promise<void>;

/** Runs actors; `choose` says which of `count` waiting ones makes the next step. Rejects if an actor does. */
export async function interleave(actors: readonly Actor[], choose: (count: number) => number): Promise<void> {
  const waiting: (() => void)[] = [];
  let parked = Promise.withResolvers<void>();
  const run = async (actor: Actor): Promise<void> => {
    await actor({
      step: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          parked.resolve();
        }),
    });
    parked.resolve();
  };
  const ended: Promise<void>[] = [];
  for (const actor of actors) {
    parked = Promise.withResolvers();
    const done = run(actor);
    done.catch((error) => parked.reject(error));
    ended.push(done);
    await parked.promise;
  }
  while (waiting.length > 0) {
    parked = Promise.withResolvers();
    const [next] = waiting.splice(choose(waiting.length), 1);
    next?.();
    await parked.promise;
  }
  await Promise.all(ended);
}

/** Runs `run` once for each sequence of choices that it can make. Returns the number of runs. */
export async function inEachOrder(run: (choose: (count: number) => number) => Promise<void>): Promise<number> {
  let choices: { choice: number; count: number }[] = [];
  for (let runs = 1; ; runs += 1) {
    let made = 0;
    await run((count) => {
      const known = choices[made] ?? { choice: 0, count };
      choices[made] = known;
      made += 1;
      return known.choice;
    });
    choices = choices.slice(0, made);
    while (choices.length > 0) {
      const last = choices.at(-1);
      if (last !== undefined && last.choice + 1 < last.count) break;
      choices.pop();
    }
    const last = choices.at(-1);
    if (last === undefined) return runs;
    last.choice += 1;
  }
}

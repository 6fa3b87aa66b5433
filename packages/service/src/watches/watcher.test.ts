import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../test/support/wait.ts';
import { startWatcher } from './watcher.ts';

const WATCH = { watchId: 'w', clientId: 'amy', folder: 'in', changedAt: '' };

/** A watcher of a watch whose first round does not end before the test. `listed`: how often all watches were listed. */
function watcherOfBusyWatch(list: (listed: number) => readonly object[], lookMs: number) {
  const seen = { listed: 0, rounds: 0, looks: 0 };
  const round = Promise.withResolvers<undefined>();
  const deps = {
    watches: {
      list: async () => list(seen.listed++),
      get: () => {
        seen.rounds += 1;
        return round.promise;
      },
    },
    folders: { isBucket: () => false },
    monotonic: () => {
      seen.looks += 1;
      return performance.now();
    },
    onError: () => {},
  };
  const watcher = startWatcher(deps as unknown as Parameters<typeof startWatcher>[0], lookMs);
  onTestFinished(async () => {
    round.resolve(undefined);
    await watcher.stop();
  });
  return { seen, watcher, begun: waitUntil('its round', async () => (seen.rounds > 0 ? true : undefined)) };
}

test('while a round runs, the ends of jobs cost nothing', async ({ expect }) => {
  const { seen, watcher, begun } = watcherOfBusyWatch(() => [WATCH], 60_000);
  await begun;
  watcher.jobEnded('amy');
  await delay(400);
  expect(seen.looks).toBeLessThan(50);
});

test('a watch that is paused and resumed while its round runs has no second round beside it', async ({ expect }) => {
  const { seen, begun } = watcherOfBusyWatch((listed) => (listed % 2 === 0 ? [WATCH] : []), 5);
  await begun;
  await waitUntil('some looks', async () => (seen.listed > 6 ? true : undefined));
  expect(seen.rounds).toBe(1);
});

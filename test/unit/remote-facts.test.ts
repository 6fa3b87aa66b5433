import { expect, test } from 'vitest';
import { componentKey, type MissingFacts, stillMissing } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { type FactsResult, MAX_FACTS, remoteFacts } from '../../packages/ffmpeg/src/catalogue/remote-facts.ts';
import { freshCatalogue } from '../support/recorded-catalogue.ts';

const FRESH = freshCatalogue();
const NAMES = [...FRESH.lists.encoders.keys()];

const encoders = (...names: readonly string[]): MissingFacts => ({
  options: [],
  components: names.map((name) => ({ kind: 'encoder', name })),
});

const answerTo = ({ components }: MissingFacts): FactsResult => ({
  options: [],
  components: components.map((one) => [componentKey(one), one.name]),
  faults: new Map(),
});

/** A catalogue whose tasks the test answers. */
function answered(answer: (missing: MissingFacts) => FactsResult | Promise<FactsResult> = answerTo) {
  const tasks: MissingFacts[] = [];
  const source = remoteFacts(FRESH, async (_build, missing) => {
    tasks.push(missing);
    return answer(missing);
  });
  const ensure = (facts: MissingFacts) => source.ensure((known) => stillMissing(known, facts));
  return { source, tasks, ensure };
}

test('callers that need the same facts share one task, and later ones need none', async () => {
  const { source, tasks, ensure } = answered();
  const both = encoders('libx264', 'aac');
  await Promise.all([ensure(both), ensure(both), ensure(encoders('aac'))]);
  expect(source.current.components.get('encoder=aac')).toEqual({ text: 'aac' });
  const { current } = source;
  expect(await ensure(both)).toBe(current);
  expect(tasks).toEqual([both]);
});

test('many facts are requested by several tasks of limited size, a few at a time', async () => {
  let [running, most] = [0, 0];
  const { tasks, ensure } = answered(async (missing) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return answerTo(missing);
  });
  await ensure(encoders(...NAMES));
  expect(tasks.flatMap(({ components }) => components.map(({ name }) => name))).toEqual(NAMES);
  expect(Math.max(...tasks.map(({ components }) => components.length))).toBe(MAX_FACTS);
  expect(most).toBe(4);
});

test('a fact that was not answered fails only those who need it', async () => {
  const fault = new Error('no answer about libx265');
  const { ensure } = answered((missing) => {
    const rest = missing.components.filter(({ name }) => name !== 'libx265' && name !== 'flac');
    return { ...answerTo({ options: [], components: rest }), faults: new Map([['encoder=libx265', fault]]) };
  });
  const both = ensure(encoders('libx264', 'libx265'));
  const one = ensure(encoders('libx264'));
  const unexplained = ensure(encoders('flac'));
  await expect(both).rejects.toBe(fault);
  await expect(unexplained, 'the fault of another fact').rejects.toMatchObject({
    message:
      `The ffmpeg ${FRESH.build.version} of a worker is not completely known yet, and no worker has described the ` +
      'encoder "flac". Send the request without the encoder "flac", or retry in 5 s.',
  });
  expect((await one).components.has('encoder=libx264')).toBe(true);
});

test('a task that fails fails only what it requested, and a later caller requests it again', async () => {
  const fault = new Error('the database is away');
  let isDown = true;
  const { tasks, ensure } = answered((missing) => {
    if (isDown && missing.components.some(({ name }) => name === NAMES[0])) throw fault;
    return answerTo(missing);
  });
  const [first, ...others] = await Promise.allSettled(NAMES.map((name) => ensure(encoders(name))));
  expect(first).toMatchObject({ status: 'rejected', reason: fault });
  expect(others.filter(({ status }) => status === 'rejected')).toHaveLength((tasks[0]?.components.length ?? 0) - 1);
  isDown = false;
  const before = tasks.length;
  await ensure(encoders(...NAMES.slice(0, 1)));
  expect(tasks.length).toBe(before + 1);
});

test('a result adds nothing that was not requested, and one without the fact is not requested for ever', async () => {
  const { source, ensure } = answered(() => ({
    options: [['report', { argument: false, place: 'global' }]],
    components: [['encoder=evil', 'x'.repeat(100)]],
    faults: new Map(),
  }));
  await expect(ensure(encoders('libx264'))).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(source.current).toBe(FRESH);
});

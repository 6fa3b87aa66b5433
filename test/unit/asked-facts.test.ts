import { expect, test } from 'vitest';
import { type AskedFacts, askedFacts, MAX_FACTS } from '../../src/ffmpeg/catalogue/asked-facts.ts';
import { componentKey, type MissingFacts, stillMissing } from '../../src/ffmpeg/catalogue/catalogue.ts';
import { freshCatalogue } from '../support/recorded-catalogue.ts';

const FRESH = freshCatalogue();
const NAMES = [...FRESH.lists.encoders.keys()];

const encoders = (...names: readonly string[]): MissingFacts => ({
  options: [],
  components: names.map((name) => ({ kind: 'encoder', name })),
});

const answerTo = ({ components }: MissingFacts): AskedFacts => ({
  options: [],
  components: components.map((one) => [componentKey(one), one.name]),
});

/** A catalogue that asks what the test answers. */
function asking(answer: (missing: MissingFacts) => AskedFacts | Promise<AskedFacts> = answerTo) {
  const questions: MissingFacts[] = [];
  const source = askedFacts(FRESH, async (_build, missing) => {
    questions.push(missing);
    return answer(missing);
  });
  const ensure = (facts: MissingFacts) => source.ensure((known) => stillMissing(known, facts));
  return { source, questions, ensure };
}

test('callers that need the same facts share one question, and later ones need none', async () => {
  const { source, questions, ensure } = asking();
  const both = encoders('libx264', 'aac');
  await Promise.all([ensure(both), ensure(both), ensure(encoders('aac'))]);
  expect(source.current.components.get('encoder=aac')).toEqual({ text: 'aac' });
  const { current } = source;
  expect(await ensure(both)).toBe(current);
  expect(questions).toEqual([both]);
});

test('many facts are asked in several questions of limited size, a few at a time', async () => {
  let [running, most] = [0, 0];
  const { questions, ensure } = asking(async (missing) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return answerTo(missing);
  });
  await ensure(encoders(...NAMES));
  expect(questions.flatMap(({ components }) => components.map(({ name }) => name))).toEqual(NAMES);
  expect(Math.max(...questions.map(({ components }) => components.length))).toBe(MAX_FACTS);
  expect(most).toBe(4);
});

test('a fact that was not answered fails only those who need it', async () => {
  const fault = new Error('no answer about libx265');
  const { ensure } = asking((missing) => {
    const rest = missing.components.filter(({ name }) => name !== 'libx265');
    return {
      ...answerTo({ options: [], components: rest }),
      ...(rest.length < missing.components.length && { fault }),
    };
  });
  const both = ensure(encoders('libx264', 'libx265'));
  const one = ensure(encoders('libx264'));
  await expect(both).rejects.toBe(fault);
  expect((await one).components.has('encoder=libx264')).toBe(true);
});

test('when nobody answers, all that wait fail, and a later caller asks again', async () => {
  const fault = new Error('nobody answers');
  let isDown = true;
  const { questions, ensure } = asking((missing) => {
    if (isDown) throw fault;
    return answerTo(missing);
  });
  await expect(ensure(encoders(...NAMES))).rejects.toBe(fault);
  const before = questions.length;
  expect(before).toBeLessThanOrEqual(4);
  isDown = false;
  await ensure(encoders('libx264'));
  expect(questions.length).toBe(before + 1);
});

test('an answer adds nothing that was not asked, and one without the fact is not asked for ever', async () => {
  const { source, ensure } = asking(() => ({
    options: [['report', { argument: false, place: 'global' }]],
    components: [['encoder=evil', 'x'.repeat(100)]],
  }));
  await expect(ensure(encoders('libx264'))).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(source.current).toBe(FRESH);
});

import { expect, test } from 'vitest';
import { OPTION_WORDS } from '../../packages/contract/src/domain/synonyms/option-meanings.ts';
import { applyFix } from '../support/apply-fix.ts';
import { MEANT_FIELDS, MEANT_FORMATS, MEANT_OPTIONS, MEANT_VALUES } from '../support/meant-words.ts';
import { errorsOfBody } from '../support/mistakes.ts';
import { sampled } from '../support/sampled.ts';

/** Follows the fix of the only wrong field, and returns it. Fails if the corrected request is not accepted. */
function follow(body: Readonly<Record<string, unknown>>): string {
  const [error, ...others] = errorsOfBody(body);
  const { message = '', field = '', fix } = error ?? {};
  expect(others.filter((other) => other.field !== field || other.fix !== fix)).toEqual([]);
  if (typeof fix !== 'string') throw new Error(`No fix: ${message}`);
  const corrected = applyFix(body, { code: '', message, field, fix });
  expect(errorsOfBody(corrected), `${fix} → ${JSON.stringify(corrected)}`).toEqual([]);
  return fix;
}

for (const [name, value, fixText, output = 'b.mp4'] of MEANT_OPTIONS)
  test(`"${name}": "${value}" for ${output} means: ${fixText}`, () => {
    expect(follow({ input: 'a.mov', output, parameters: { [name]: value } })).toContain(fixText);
  });

for (const [name, value, fixText] of MEANT_VALUES)
  test(`the value "${name}": "${value}" means: ${fixText}`, () => {
    expect(follow({ input: 'a.mov', output: 'b.mkv', parameters: { [name]: value } })).toContain(fixText);
  });

test.each(MEANT_FORMATS)('the format "%s" means: %s', (format, fixText) => {
  expect(follow({ input: 'a.mov', output: 'b.x', format })).toContain(fixText);
});

test.each(MEANT_FIELDS)('the field "%s" with %j means %s', (field, value, instead, fixText) => {
  const complete: Readonly<Record<string, unknown>> = { input: 'a.mov', output: 'b.mp4' };
  const without = Object.fromEntries(
    Object.entries(complete).filter(([key]) => key !== instead && !(instead === 'inputs' && key === 'input')),
  );
  const body = { ...without, [field]: value };
  const error = errorsOfBody(body).find((one) => one.code === 'UNKNOWN_FIELD');
  const { message = '', fix } = error ?? {};
  if (typeof fix !== 'string') throw new Error(`No fix: ${message}`);
  expect(fix).toContain(fixText);
  expect(errorsOfBody(applyFix(body, { code: '', message, field: `/${field}`, fix }))).toEqual([]);
});

const VALUES = ['', 'true', 'false', '5', '50%', '1280x720', '720p', '5-15', 'any thing'];

test.each(['b.mp4', 'b.mp3', 'b.webm'])(
  'every fix for every meaning of the dictionary leads to an accepted %s',
  (output) => {
    const wrong: string[] = [];
    let followed = 0;
    const words = sampled(OPTION_WORDS, 4);
    for (const name of words)
      for (const value of VALUES) {
        const body = { input: 'a.mov', output, parameters: { [name]: value } };
        const [error, ...others] = errorsOfBody(body);
        if (typeof error?.fix !== 'string' || !/^(?:Send .*"|Leave it out)/s.test(error.fix)) continue;
        followed += 1;
        const left = others.length > 0 ? others : errorsOfBody(applyFix(body, { ...error, fix: error.fix }));
        if (left.length > 0)
          wrong.push(`"${name}": "${value}": ${error.fix} → ${left.map(({ message }) => message).join()}`);
      }
    expect(wrong).toEqual([]);
    expect(followed).toBeGreaterThan(words.length);
  },
);

test('several unknown options are merged into one filter, one size or one list of tags', () => {
  const fixes = (parameters: Record<string, string>) =>
    errorsOfBody({ input: 'a.mov', output: 'b.mp4', parameters }).map(({ fix }) => fix);
  expect(fixes({ width: '1280', height: '720' })).toEqual(['Send "s": "1280x720".', 'Send "s": "1280x720".']);
  expect(fixes({ vf: 'hflip', rotate: '90' })).toEqual(['Send "vf": "hflip,transpose=1".']);
  expect(fixes({ 'filter:v': 'hflip', rotate: '90', crop: '64x64' })).toEqual([
    'Send "filter:v": "hflip,transpose=1,crop=64:64".',
    'Send "filter:v": "hflip,transpose=1,crop=64:64".',
  ]);
  expect(fixes({ title: 'A', artist: 'B' })).toEqual([
    'Send "metadata": ["title=A","artist=B"].',
    'Send "metadata": ["title=A","artist=B"].',
  ]);
  expect(fixes({ r: '25', fps: '30' })).toEqual(['Leave it out: "r" is "25" already, or send "r": "30".']);
});

test('the list has at least 150 wrong words and values', () => {
  const all = [MEANT_OPTIONS, MEANT_VALUES, MEANT_FORMATS, MEANT_FIELDS].flat();
  expect(all.length).toBeGreaterThanOrEqual(150);
});

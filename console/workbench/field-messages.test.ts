import { expect, test } from 'vitest';
import { draftFromRequest } from './draft-from-request.ts';
import { argumentKey, formatKey, isSaidElsewhere, missingArguments, placeMessages, RECIPE } from './field-messages.ts';

const SEVERAL = draftFromRequest({
  inputs: ['a.mov', { input: 'b.mov', parameters: { ss: '1' } }],
  outputs: [
    { output: 'a.mp4', parameters: { map: ['0:v', '0:a'] } },
    { output: 'b.mp4', format: 'mp4' },
  ],
  parameters: { crf: '23', 'x/y': '1' },
  preset: { name: 'web-h264', arguments: { height: 720 } },
});

const controlOf = (field: string | undefined, draft = SEVERAL): string | undefined => {
  const { byControl, others } = placeMessages(draft, [{ field }]);
  return others.length === 0 ? [...byControl.keys()][0] : undefined;
};

const [plain, withOption] = SEVERAL.inputs;
const [ladder, second] = SEVERAL.outputs;

test('a message about an option is at its row', () => {
  expect(controlOf('/parameters/crf')).toBe(SEVERAL.rows[0]?.id);
  expect(controlOf('/parameters/x~1y')).toBe(SEVERAL.rows[1]?.id);
  expect(controlOf('/inputs/1/parameters/ss')).toBe(withOption?.rows[0]?.id);
  expect(controlOf('/outputs/0/parameters/map/1')).toBe(ladder?.rows[1]?.id);
  expect(controlOf('/outputs/0/parameters/map')).toBe(ladder?.rows[0]?.id);
});

test('a message about a file, a format or the recipe is there', () => {
  expect(controlOf('/inputs/0')).toBe(plain?.id);
  expect(controlOf('/inputs/1/input')).toBe(withOption?.id);
  expect(controlOf('/outputs/1/output')).toBe(second?.id);
  expect(controlOf('/outputs/1/format')).toBe(formatKey(second?.id ?? ''));
  expect(controlOf('/preset/name')).toBe(RECIPE);
  expect(controlOf('/preset/arguments/height')).toBe(argumentKey('height'));
  expect(controlOf('/preset/arguments/unknown')).toBe(RECIPE);
});

test('with one input and one output, messages are at these', () => {
  const draft = draftFromRequest({ input: 'in.mov', output: 'out.mp4', format: 'mp4' });
  expect(controlOf('/input', draft)).toBe(draft.inputs[0]?.id);
  expect(controlOf('/output', draft)).toBe(draft.outputs[0]?.id);
  expect(controlOf('/format', draft)).toBe(formatKey(draft.outputs[0]?.id ?? ''));
});

test('a message about nothing in the form is shown for the whole request', () => {
  for (const field of [undefined, '', '/parameters', '/priority', '/inputs/7'])
    expect(controlOf(field)).toBeUndefined();
});

test('arguments that a recipe needs are told from wrong ones', () => {
  expect(
    missingArguments([
      { field: '/preset/arguments/size', code: 'MISSING' },
      { field: '/preset/arguments/height', code: 'OUT_OF_RANGE' },
      { field: '/input', code: 'MISSING' },
    ]),
  ).toEqual(['size']);
});

test('of several sources, each that was not checked is named; of one, the bar says it', () => {
  expect(isSaidElsewhere('INPUT_NOT_READ', { hasStarted: false, sources: 2 })).toBe(false);
  expect(isSaidElsewhere('INPUT_NOT_READ', { hasStarted: false, sources: 1 })).toBe(true);
  expect(isSaidElsewhere('OUTPUT_EXISTS', { hasStarted: false, sources: 1 })).toBe(false);
  expect(isSaidElsewhere('OUTPUT_EXISTS', { hasStarted: true, sources: 1 })).toBe(true);
});

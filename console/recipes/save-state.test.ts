import { ClientError } from '@telecine/client';
import { expect, test } from 'vitest';
import { saveState } from './save-state.ts';

const FACTS = {
  checked: { plan: undefined, error: null, isOld: false },
  isChanged: true,
  isSaving: false,
  stored: 2,
  version: 3,
};

function rejected(...fields: readonly string[]) {
  const errors = fields.map((field) => ({ field, code: 'WRONG', message: 'Wrong.' }));
  const problem = {
    type: '',
    title: '',
    status: 400,
    detail: 'Wrong.',
    code: 'INVALID_REQUEST',
    requestId: '',
    errors,
  };
  return new ClientError('rejected', 'Wrong.', { status: 400, problem: problem as never });
}

const withError = (error: Error) => ({ ...FACTS, checked: { ...FACTS.checked, error } });

test('a changed recipe can be saved, and the bar says which version it becomes', () => {
  expect(saveState(FACTS)).toEqual({ isReady: true, isBad: false, text: 'Ready. It becomes version 3.' });
  expect(saveState({ ...FACTS, isChanged: false })).toMatchObject({ isReady: false, text: 'Saved as version 2.' });
});

test('an error in the recipe stops the save, and one in the file of the trial does not', () => {
  expect(saveState(withError(rejected('/recipe/request/parameters/crf')))).toMatchObject({
    ...{ isReady: false, isBad: true, text: 'One field has an error.' },
  });
  expect(saveState(withError(rejected('/request/input')))).toMatchObject({ isReady: true });
});

test('while the service does not answer, the recipe can be saved without a check', () => {
  expect(saveState(withError(new ClientError('unreachable', 'No answer.')))).toMatchObject({ isReady: true });
});

import { expect, test } from 'vitest';
import { settingsOf } from './measure-settings.ts';

const form = (fields: Readonly<Record<string, string>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

test('sends the settings that are filled in', () => {
  expect(
    settingsOf(form({ '/settings/silence/minSeconds': '0.5', '/settings/silence/noiseDb': '', other: '1' })),
  ).toEqual({ silence: { minSeconds: 0.5 } });
  expect(settingsOf(form({ '/settings/black/pixel': '' }))).toBeUndefined();
});

import { afterEach, expect, test, vi } from 'vitest';
import { operatorMessage } from '../../packages/cli/src/output/operator-message.ts';
import { StoreFull } from '../../packages/contract/src/domain/store-errors.ts';

afterEach(() => vi.unstubAllEnvs());

test('a full disk of the database names the disk that is full', () => {
  vi.stubEnv('TELECINE_DATABASE_URL', undefined);
  expect(operatorMessage(new StoreFull('this request'))).toMatch(/^The disk of the data folder .* is full\./);
  vi.stubEnv('TELECINE_DATABASE_URL', 'postgres://amy:secret@db.example/telecine');
  expect(operatorMessage(new StoreFull('this request'))).toBe(
    'TELECINE_DATABASE_URL: the disk of the database server is full. Free some space on it.',
  );
});

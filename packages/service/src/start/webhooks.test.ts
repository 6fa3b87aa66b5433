import { expect, test } from 'vitest';
import { overLimitReport } from './webhooks.ts';

test('each event of a client with too many deliveries is counted, and the client is logged every ten minutes', () => {
  const counted: string[] = [];
  const logged: unknown[] = [];
  let minutes = 0;
  const report = overLimitReport(
    { warn: (fields: object) => logged.push(fields) } as never,
    { countEventOverLimit: (storage) => void counted.push(storage) },
    () => minutes * 60_000,
  );
  report('amy', 'GIVEN_UP');
  report('amy', 'NOT_STORED');
  report('bob', 'GIVEN_UP');
  minutes = 10;
  report('amy', 'NOT_STORED');
  expect(counted).toEqual(['GIVEN_UP', 'NOT_STORED', 'GIVEN_UP', 'NOT_STORED']);
  expect(logged).toEqual([
    { client: 'amy', storage: 'GIVEN_UP' },
    { client: 'bob', storage: 'GIVEN_UP' },
    { client: 'amy', storage: 'NOT_STORED' },
  ]);
});

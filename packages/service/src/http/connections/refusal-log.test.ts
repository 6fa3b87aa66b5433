import { expect, test } from 'vitest';
import { refusalLog } from './connection-table.ts';

test('counts each refusal, and logs their number at most once a minute', () => {
  const counted: string[] = [];
  const logged: object[] = [];
  let now = 1000;
  const refuse = refusalLog(
    {
      metrics: { countRefusal: (why) => counted.push(why) },
      logger: { warn: (fields: object) => logged.push(structuredClone(fields)), error: () => {} } as never,
    },
    () => now,
  );
  for (const why of ['address', 'address', 'stalled', 'address'] as const) refuse(why);
  expect(logged).toEqual([{ refused: { address: 1 } }]);
  now += 60_000;
  refuse('stalled');
  expect(logged.at(-1)).toEqual({ refused: { address: 2, stalled: 2 } });
  expect(logged).toHaveLength(2);
  expect(counted).toHaveLength(5);
});

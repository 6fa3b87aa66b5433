import { expect, test } from 'vitest';
import { PRIORITY, priorityError } from './queue-order.ts';

test('a request may have the highest priority of its client, and no higher one', () => {
  expect(priorityError({ priority: PRIORITY.max }, {})).toBeUndefined();
  expect(priorityError({ priority: 3 }, { priority: 3 })).toBeUndefined();
  expect(priorityError({ priority: -5 }, { priority: -5 })).toBeUndefined();
  expect(priorityError({ priority: 4 }, { priority: 3 })).toMatchObject({ field: '/priority', code: 'LIMIT_EXCEEDED' });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkedQueue, placeOf } from './linked-queue.ts';

test('has the order and the size of a Set, whoever joins and leaves', () => {
  const step = fc.record({ member: fc.nat(5), joins: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [queue, places, set] = [linkedQueue<number>(), [0, 1, 2, 3, 4, 5].map(placeOf), new Set<number>()];
      const placeAt = (member: number) => places[member] as (typeof places)[number];
      for (const { member, joins } of steps) {
        if (joins) queue.join(placeAt(member));
        else queue.leave(placeAt(member));
        if (joins) set.add(member);
        else set.delete(member);
        expect([queue.size, queue.first]).toEqual([set.size, [...set][0]]);
      }
      const order: number[] = [];
      while (queue.first !== undefined) {
        order.push(queue.first);
        queue.leave(placeAt(queue.first));
      }
      expect(order).toEqual([...set]);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkedList, nodeOf } from './linked-list.ts';

test('has the order and the size of a Set, whoever joins and leaves', () => {
  const step = fc.record({ member: fc.nat(5), joins: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [list, nodes, set] = [linkedList<number>(), [0, 1, 2, 3, 4, 5].map(nodeOf), new Set<number>()];
      const nodeAt = (member: number) => nodes[member] as (typeof nodes)[number];
      for (const { member, joins } of steps) {
        if (joins) list.append(nodeAt(member));
        else list.remove(nodeAt(member));
        if (joins) set.add(member);
        else set.delete(member);
        expect([list.size, list.first]).toEqual([set.size, [...set][0]]);
      }
      const order: number[] = [];
      while (list.first !== undefined) {
        order.push(list.first);
        list.remove(nodeAt(list.first));
      }
      expect(order).toEqual([...set]);
    }),
  );
});

import { expect, test } from 'vitest';
import { repeatsAmong } from './repeats.ts';

test('a delivery with the id of an older one is a repeat, and the oldest one is not', () => {
  const deliveries = [
    { deliveryId: 'd4', messageId: 'msg_1' },
    { deliveryId: 'd3', messageId: 'msg_2' },
    { deliveryId: 'd2', messageId: 'msg_1' },
    { deliveryId: 'd1', messageId: 'msg_1' },
  ];
  expect([...repeatsAmong(deliveries)]).toEqual(['d4', 'd2']);
});

import { expect, test } from 'vitest';
import { thumbnailQueue } from './thumbnail-queue.ts';

/** Adds images to a queue that loads two at a time. `end`: ends the load of an image. */
function queueOf(...names: readonly string[]) {
  const queue = thumbnailQueue(2);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const removals = new Map(
    names.map((name) => [
      name,
      queue.add({
        start: (onEnd) => {
          started.push(name);
          ends.set(name, onEnd);
        },
      }),
    ]),
  );
  return { started, end: (name: string) => ends.get(name)?.(), remove: (name: string) => removals.get(name)?.() };
}

test('a few images load at a time, in their order', () => {
  const { started, end } = queueOf('a', 'b', 'c', 'd');
  expect(started).toEqual(['a', 'b']);
  end('b');
  expect(started).toEqual(['a', 'b', 'c']);
  end('b');
  expect(started, 'an image ends once').toEqual(['a', 'b', 'c']);
});

test('an image that is no longer shown does not load, and gives up its turn', () => {
  const { started, remove } = queueOf('a', 'b', 'c', 'd');
  remove('c');
  remove('a');
  expect(started).toEqual(['a', 'b', 'd']);
});

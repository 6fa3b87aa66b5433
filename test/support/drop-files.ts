import type { Locator } from 'playwright-core';

/** Drops files and folders of this machine onto an element, as a person drags them from a window of the system. */
export async function dropFiles(target: Locator, paths: readonly string[]): Promise<void> {
  // Waits until it no longer moves.
  await target.hover({ trial: true });
  const box = await target.boundingBox();
  if (box === null) throw new Error('There is nothing to drop onto.');
  const session = await target.page().context().newCDPSession(target.page());
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  await session.detach();
}

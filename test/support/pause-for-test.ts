import { onTestFinished } from 'vitest';
import type { ApiClient } from './api-client.ts';

/** Pauses the queue until the test ends, also if it fails: a second try and the tests after it need the queue. */
export async function pauseForTest(admin: ApiClient): Promise<void> {
  onTestFinished(async () => void (await admin.request('/api/queue/resume', { method: 'POST' })));
  await admin.request('/api/queue/pause', { method: 'POST' });
}

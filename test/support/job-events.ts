import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { type ApiClient, login } from './api-client.ts';
import { followEvents, type SeenEvent } from './event-client.ts';
import { insertClient } from './insert-client.ts';
import { putSample } from './media.ts';
import type { TestServer } from './server.ts';

/** A new client with its own folder, which has `song.mp3`, and a function that follows its events. */
export async function followingClient(server: TestServer, name: string) {
  const own = await login(server.url, await insertClient(server, name, { root: name }));
  const media = server.media.below(name);
  await media.fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  const follow = (path = '/api/events', options = {}) => followEvents(server.url, path, own.token, options);
  return { own, media, follow };
}

/** A request whose input is missing. */
export const MISSING = { input: 'none.mp3', output: 'none.mka' };

export const cancel = (own: ApiClient, jobId: string) =>
  own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });

export const remove = (own: ApiClient, jobId: string) => own.request(`/api/conversion/${jobId}`, { method: 'DELETE' });

export const pauseQueue = (admin: ApiClient) => admin.request('/api/queue/pause', { method: 'POST' });

export const is = (type: SeenEvent['type'], jobId?: string) => (event: SeenEvent) =>
  event.type === type && (jobId === undefined || event.data.jobId === jobId);

/** The jobs that a reader knows after these events. */
export function viewAfter(events: readonly SeenEvent[]): ReadonlyMap<string, JobView> {
  const view = new Map<string, JobView>();
  for (const { type, data } of events) {
    if (type === 'reset') view.clear();
    else if (type === 'deleted') view.delete(data.jobId);
    else if (type !== 'ready') view.set(data.jobId, data);
  }
  return view;
}

export const stateOf = (jobs: Iterable<JobView>) =>
  [...jobs].map(({ jobId, status }) => `${jobId} ${status}`).toSorted();

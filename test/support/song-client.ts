import { type ApiClient, login } from './api-client.ts';
import { insertClient } from './insert-client.ts';
import { putSample } from './media.ts';
import type { TestServer } from './server.ts';
import type { TestMedia } from './test-media.ts';

/** A client with a folder of its own, in which a test finds `song.mp3` and sees only its own jobs and files. */
export interface SongClient {
  readonly own: ApiClient;
  readonly media: TestMedia;
}

/** Adds a client named `name`, whose folder has that name too. */
export async function songClient(server: TestServer, name: string): Promise<SongClient> {
  const own = await login(server.url, await insertClient(server, name, { root: name }));
  const media = server.media.below(name);
  await media.fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  return { own, media };
}

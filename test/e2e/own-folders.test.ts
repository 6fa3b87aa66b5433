import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { addClient, runClientCommand } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg');

test('a client whose media root contains the data folder can neither read nor replace files in it', async () => {
  const folder = await testFolder('around');
  const secretFile = join(folder, 'keys', 'admin-secret');
  await putSample(join(folder, 'films'), 'mp3', 'song.mp3');
  await putSample(join(folder, 'keys'), 'mp3', 'other.mp3');
  await writeFile(secretFile, 'correct horse battery staple');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const server = await startServer({
    dataDir,
    mediaRoot: join(folder, 'media'),
    env: { TELECINE_ADMIN_SECRET_FILE: secretFile },
  });
  const api = await login(server.url, await addClient(server, 'outer', '--root', folder));
  const database = await readFile(join(folder, 'data/telecine.db'));

  const raw = (input: string) => ({
    inputs: [{ input, parameters: { f: 'u8', ar: '8000' } }],
    output: 'films/leak.wav',
    parameters: { 'c:a': 'pcm_u8' },
  });
  for (const path of ['data/telecine.db', `${folder}/data/telecine.db`, 'keys/admin-secret', 'data/none'])
    expect(await api.request('/api/conversion', { body: raw(path) })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/inputs/0/input', code: 'OUTSIDE_ROOT' }] },
    });
  for (const output of ['data/telecine.db', 'data/new.mp3', 'keys/admin-secret'])
    expect(
      await api.request('/api/conversion', {
        body: { input: 'films/song.mp3', output, format: 'mp3', parameters: { c: 'copy', y: '' } },
      }),
    ).toMatchObject({ status: 400, body: { errors: [{ field: '/output', code: 'OUTSIDE_ROOT' }] } });

  expect(await readFile(join(folder, 'data/telecine.db'))).toHaveLength(database.length);
  // Other files next to the data folder are media: raw formats read any file.
  expect(await api.run(raw('keys/other.mp3'))).toMatchObject({ status: 'COMPLETED' });
  await expect(runClientCommand(server, 'add', 'inner', '--root', join(folder, 'data'))).rejects.toThrow('itself');
});

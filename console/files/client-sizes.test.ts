import { expect, test } from 'vitest';
import { clientSizes } from './client-sizes.ts';

const places = [
  { client: 'renders', place: 'teams/renders/' },
  { client: 'studio', place: 'teams/studio/' },
  { client: 'blog', place: 'blog/' },
  { client: 'twin', place: '' },
];
const usage = [
  { client: 'renders', storedBytes: 6 },
  { client: 'studio', storedBytes: 3 },
  { client: 'blog', storedBytes: 0 },
];

test('a folder with the folders of clients is as large as what they have stored', () => {
  expect(clientSizes('', places, usage).sizes).toEqual([
    { path: 'teams/', bytes: 6 },
    { path: 'teams/', bytes: 3 },
  ]);
  expect(clientSizes('teams/', places, usage).sizes).toEqual([
    { path: 'teams/renders/', bytes: 6 },
    { path: 'teams/studio/', bytes: 3 },
  ]);
});

test('in the folder of a client, what the client has in it has to be read', () => {
  const { sizes, inside } = clientSizes('teams/renders/old/', places, usage);
  expect(sizes).toEqual([]);
  expect(inside.map(({ client }) => client)).toEqual(['renders', 'twin']);
});

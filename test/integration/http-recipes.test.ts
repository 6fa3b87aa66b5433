import { expect, test } from 'vitest';
import type { Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { clientRecipes, recipeOperations } from '../../packages/service/src/recipes/operations.ts';
import type { OwnRecipes } from '../../packages/service/src/recipes/ports.ts';
import { BEARER, httpApp } from '../support/http-app.ts';

const DEFINITION = {
  ...{ version: 1, title: 'House style', description: 'The format of our intranet.', words: ['intranet'] },
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: {},
  request: { parameters: { 'c:v': 'libx264' } },
};
const URL = '/api/recipes/house-style';

/** The HTTP app with recipes in memory, by the rules of the store. */
function world() {
  const stored = new Map<string, Recipe>();
  const keyOf = (clientId: string, name: string) => `${clientId} ${name}`;
  const ofClient = (clientId: string) => [...stored].filter(([key]) => key.startsWith(`${clientId} `));
  const own: OwnRecipes = {
    stampOf: async (clientId) =>
      ofClient(clientId)
        .map(([key, { version }]) => `${key} ${version}`)
        .join(),
    list: async (clientId) => ofClient(clientId).map(([, recipe]) => recipe),
    put: async (clientId, recipe) => {
      const key = keyOf(clientId, recipe.name);
      const before = stored.get(key);
      if (JSON.stringify(before) === JSON.stringify(recipe)) return 'unchanged';
      if (before !== undefined && recipe.version <= before.version) return { newestVersion: before.version };
      stored.set(key, recipe);
      return before === undefined ? 'created' : 'replaced';
    },
    remove: async (clientId, name) => stored.delete(keyOf(clientId, name)),
  };
  const sharedNames = new Set(BUILT_IN.map(({ name }) => name));
  const http = httpApp({ recipes: recipeOperations({ recipesOf: clientRecipes(BUILT_IN, own), own, sharedNames }) });
  const call = (method: 'GET' | 'PUT' | 'DELETE', payload?: object, url = URL, headers: object = BEARER) =>
    http.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
  return { ...http, call };
}

test('a client stores, reads, replaces and deletes a recipe of its own', async () => {
  const { call, audited } = world();
  const created = await call('PUT', DEFINITION);
  expect([created.statusCode, created.json()]).toEqual([201, { name: 'house-style', source: 'own', ...DEFINITION }]);
  expect((await call('PUT', DEFINITION)).statusCode, 'the same again').toBe(200);
  expect((await call('GET')).json()).toEqual(created.json());
  const found = await call('GET', undefined, '/api/recipes?q=for%20our%20intranet');
  expect(found.json().recipes[0]).toMatchObject({ name: 'house-style', source: 'own' });
  const second = { ...DEFINITION, version: 2, title: 'Other' };
  expect((await call('PUT', { ...second, version: 1 })).json()).toMatchObject({ status: 409, code: 'RECIPE_CONFLICT' });
  expect((await call('PUT', second)).statusCode).toBe(200);
  expect((await call('GET')).json()).toMatchObject({ version: 2, title: 'Other' });
  expect((await call('DELETE')).statusCode).toBe(204);
  for (const method of ['GET', 'DELETE'] as const)
    expect((await call(method)).json()).toMatchObject({ code: 'NOT_FOUND' });
  const actions = audited.map(({ action, target }) => `${action} ${target}`);
  expect(actions).toEqual([...Array(3).fill('recipe.write house-style'), 'recipe.delete house-style']);
});

test('writing and deleting need another scope than reading', async () => {
  const { call } = world();
  const reader = { authorization: 'Bearer only-jobs:read' };
  const writer = { authorization: 'Bearer only-jobs:write' };
  expect((await call('PUT', DEFINITION, URL, reader)).json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect((await call('PUT', DEFINITION, URL, writer)).statusCode).toBe(201);
  expect((await call('GET', undefined, URL, writer)).json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect((await call('GET', undefined, URL, reader)).statusCode).toBe(200);
  expect((await call('DELETE', undefined, URL, reader)).json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect((await call('GET', undefined, URL, {})).statusCode).toBe(401);
});

test('a version that databases cannot store is rejected', async () => {
  const reply = await world().call('PUT', { ...DEFINITION, version: 20_261_122_001 });
  expect(reply.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ field: '/version' }] });
});

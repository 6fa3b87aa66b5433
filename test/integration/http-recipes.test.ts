import { expect, test } from 'vitest';
import type { ClientLimits } from '../../packages/contract/src/domain/client-limits.ts';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { leaveOut, rename, sendValue } from '../../packages/contract/src/domain/edit.ts';
import { invalidRequest, Problem } from '../../packages/contract/src/domain/problem.ts';
import type { Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { clientRecipes, recipeOperations } from '../../packages/service/src/recipes/operations.ts';
import type { OwnRecipes } from '../../packages/service/src/recipes/ports.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { DRY_RUN, type fakeJobs, limitedTokens } from '../support/http-fakes.ts';

const DEFINITION = {
  ...{ version: 1, title: 'House style', description: 'The format of our intranet.', words: ['intranet'] },
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: {},
  request: { parameters: { 'c:v': 'libx264' } },
};
const URL = '/api/recipes/house-style';

/** The HTTP app with recipes in memory, by the rules of the store. `jobsChange`: use cases of jobs that the test replaces. */
function world(jobsChange: Parameters<typeof fakeJobs>[0] = {}, policy: ClientLimits = {}) {
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
  const recipes = recipeOperations({ recipesOf: clientRecipes(BUILT_IN, own), own, sharedNames });
  const http = httpApp({ recipes, jobsChange, tokens: limitedTokens(policy) });
  const call = (method: 'GET' | 'PUT' | 'DELETE' | 'POST', payload?: object, url = URL, headers: object = BEARER) =>
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

const DRY_RUN_URL = `${URL}/dry-run`;
const REQUEST = { input: 'in.mov', output: 'out.mp4' };

test('a recipe is tried before it is stored, with the stored one or without', async () => {
  const tried: unknown[] = [];
  const { call, audited } = world({
    dryRun: async (_caller, request, _hangUp, { unstored } = {}) => {
      tried.push([request.preset, unstored?.title]);
      return DRY_RUN;
    },
  });
  const reply = await call('POST', { recipe: DEFINITION, request: REQUEST }, DRY_RUN_URL);
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { argv: DRY_RUN.argv, warnings: [] }]);
  expect((await call('GET')).statusCode, 'nothing is stored').toBe(404);
  await call('PUT', DEFINITION);
  const preset = { name: 'house-style', arguments: { height: 90 } };
  await call('POST', { recipe: { ...DEFINITION, title: 'Other' }, request: { ...REQUEST, preset } }, DRY_RUN_URL);
  expect((await call('GET')).json()).toMatchObject({ version: 1, title: 'House style' });
  expect(tried).toEqual([
    [{ name: 'house-style' }, 'House style'],
    [preset, 'Other'],
  ]);
  expect(audited.map(({ action }) => action)).toEqual(['recipe.write']);
});

test('what is wrong with a tried recipe or its request is at its place in the body, with the change that fixes it', async () => {
  const errorsOf = async (recipe: object, errors: Parameters<typeof invalidRequest>[0]) => {
    const { call } = world({ dryRun: async () => Promise.reject(invalidRequest(errors)) });
    return (await call('POST', { recipe: { ...DEFINITION, ...recipe }, request: REQUEST }, DRY_RUN_URL)).json().errors;
  };
  const wrong = { code: 'OUT_OF_RANGE', message: 'Wrong.', fix: sendValue('51') };
  const option = '/recipe/request/parameters/crf';
  expect(await errorsOf({ request: { parameters: { vf: 'scale=-2:{{heigth}}' } } }, [])).toMatchObject([
    { field: '/recipe/request/parameters/vf', code: 'UNKNOWN_NAME' },
  ]);
  expect(await errorsOf({ arguments: { size: { type: 'numbr', description: 'Size.' } } }, [])).toMatchObject([
    { field: '/recipe/arguments/size/type' },
  ]);
  expect(
    await errorsOf({}, [{ field: '/input', code: 'IS_DIRECTORY', message: 'The input is a folder.' }]),
  ).toMatchObject([{ field: '/request/input', code: 'IS_DIRECTORY' }]);
  expect(await errorsOf({ request: { parameters: { crf: '99' } } }, [{ field: option, ...wrong }])).toMatchObject([
    { field: option, apply: [{ op: 'replace', path: option, value: '51' }] },
  ]);
  // A patch would replace the reference by the value that it has now.
  const own = { quality: { type: 'number', min: 0, max: 99, default: 99, description: 'The quality.' } };
  const referring = { arguments: own, request: { parameters: { crf: '{{quality}}' } } };
  const [withReference] = await errorsOf(referring, [{ field: option, ...wrong }]);
  expect(withReference).toMatchObject({ field: option, fix: 'Send "51".' });
  expect(withReference).not.toHaveProperty('apply');
  // The fix of one option can change another one.
  const other = { ...wrong, fix: rename('cq') };
  const [ofOther] = await errorsOf({ ...referring, request: { parameters: { qp: '99', cq: '{{quality}}' } } }, [
    { field: '/recipe/request/parameters/qp', ...other },
  ]);
  expect(ofOther).not.toHaveProperty('apply');
});

test('warnings of a tried recipe are at their places too, and a file that takes too long to read is a timeout', async () => {
  const warning = { code: 'NO_EFFECT', message: 'No effect.', fix: leaveOut() };
  const { call } = world({
    dryRun: async (_caller, { input }: ConversionRequest) => {
      if (input === 'slow.mov')
        throw new Problem('TIMEOUT', 'Too slow.', {
          errors: [{ field: '/input', code: 'TIMEOUT', message: 'Too slow.' }],
          retryAfterSeconds: 3,
        });
      return {
        ...DRY_RUN,
        warnings: [
          { field: '/recipe/request/parameters/c:v', ...warning },
          { field: '/output', ...warning },
        ],
      };
    },
  });
  const run = await call('POST', { recipe: DEFINITION, request: REQUEST }, DRY_RUN_URL);
  expect(run.json().warnings).toMatchObject([
    { field: '/recipe/request/parameters/c:v', apply: [{ op: 'remove', path: '/recipe/request/parameters/c:v' }] },
    { field: '/request/output' },
  ]);
  const slow = await call('POST', { recipe: DEFINITION, request: { ...REQUEST, input: 'slow.mov' } }, DRY_RUN_URL);
  expect(slow.json()).toMatchObject({ status: 422, code: 'TIMEOUT', errors: [{ field: '/request/input' }] });
  expect(slow.headers['retry-after'], 'the check goes on to read the file').toBe('3');
});

test('trials of a recipe count as submissions, and need no room in the queue', async () => {
  const { call, reservations } = world({}, { submissions: 1 });
  const body = { recipe: DEFINITION, request: REQUEST };
  const first = await call('POST', body, DRY_RUN_URL);
  expect([first.statusCode, first.headers['ratelimit']]).toEqual([200, '"submissions";r=0;t=60']);
  expect((await call('POST', body, DRY_RUN_URL)).json()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  const submitted = await call('POST', REQUEST, '/api/conversion');
  expect(submitted.json(), 'a submission after it').toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect(reservations).toMatchObject({ taken: 0 });
});

test('a recipe is tried only under a name that it can have, by who may write it', async () => {
  const { call } = world();
  const body = { recipe: DEFINITION, request: { ...REQUEST, preset: { name: 'other' } } };
  expect((await call('POST', body, DRY_RUN_URL)).json()).toMatchObject({
    errors: [{ field: '/request/preset/name', code: 'OTHER_RECIPE' }],
  });
  const taken = await call('POST', { recipe: DEFINITION, request: REQUEST }, '/api/recipes/gif/dry-run');
  expect(taken.json()).toMatchObject({ status: 409, code: 'RECIPE_CONFLICT' });
  const malformed = await call('POST', { recipe: DEFINITION, request: REQUEST }, '/api/recipes/House%20Style/dry-run');
  expect(malformed.json()).toMatchObject({ errors: [{ field: '/name' }] });
  const reader = { authorization: 'Bearer only-jobs:read' };
  const denied = await call('POST', { recipe: DEFINITION, request: REQUEST }, DRY_RUN_URL, reader);
  expect(denied.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

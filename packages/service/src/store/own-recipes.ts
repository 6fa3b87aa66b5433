import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { OwnRecipes } from '../recipes/ports.ts';
import { countRows, deleteRows, findRow } from './queries.ts';
import type { Database } from './transaction/database.ts';

/** The number of recipes that are parsed in one turn of the event loop. A client may have recipes of 3 MB together. */
const PARSED_TOGETHER = 5;

export const ownRecipes = ({ reader, write, lock, now }: Database): OwnRecipes => ({
  async stampOf(clientId) {
    const rows = await reader
      .selectFrom('own_recipes')
      .select(['name', 'version', 'stored_at'])
      .where('client_id', '=', clientId)
      .orderBy('name')
      .execute();
    // The version changes when a recipe is replaced. The time changes if a recipe is deleted and stored again under its
    // name.
    return rows.map(({ name, version, stored_at }) => `${name} ${version} ${stored_at}`).join();
  },

  async list(clientId) {
    const rows = await reader
      .selectFrom('own_recipes')
      .select(['name', 'definition'])
      .where('client_id', '=', clientId)
      .orderBy('name')
      .execute();
    const recipes: Recipe[] = [];
    for await (const some of inSteps(rows, PARSED_TOGETHER))
      for (const { name, definition } of some)
        recipes.push({ name, ...(JSON.parse(definition) as Omit<Recipe, 'name'>) });
    return recipes;
  },

  put: (clientId, { name, ...recipe }, most) =>
    write(async (db) => {
      await lock?.(db, 'recipes of client', clientId);
      const definition = JSON.stringify(recipe);
      const stored = await findRow(db, 'own_recipes', { client_id: clientId, name });
      if (stored !== undefined) {
        if (stored.definition === definition) return 'unchanged';
        if (recipe.version <= stored.version) return { newestVersion: stored.version };
      } else if ((await countRows(db, 'own_recipes', { client_id: clientId })) >= most) return 'full';
      const values = { version: recipe.version, definition, stored_at: now() };
      await db
        .insertInto('own_recipes')
        .values({ client_id: clientId, name, ...values })
        .onConflict((c) => c.columns(['client_id', 'name']).doUpdateSet(values))
        .execute();
      return stored === undefined ? 'created' : 'replaced';
    }),

  remove: (clientId, name) =>
    write(async (db) => (await deleteRows(db, 'own_recipes', { client_id: clientId, name })) > 0),
});

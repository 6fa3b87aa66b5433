import type { Recipe, RecipeDefinition } from '@telecine/client';

/** A recipe as it is sent: without what the service adds. */
export const definitionOf = ({ name: _, source: __, unavailable: ___, ...definition }: Recipe): RecipeDefinition =>
  definition;

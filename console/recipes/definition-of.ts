import type { Recipe, RecipeDefinition } from '@telecine/client';

/** A recipe as it is sent: without what the service adds. */
export const definitionOf = ({ name: _, source: __, unavailable: ___, ...definition }: Recipe): RecipeDefinition =>
  definition;

/** What a recipe says, without its version, for comparisons. */
export const contentOf = ({ version: _, ...content }: RecipeDefinition): string => JSON.stringify(content);

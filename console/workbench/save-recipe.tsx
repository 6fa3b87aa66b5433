import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ClientError, type ConversionRequest } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { isStored } from '../media/media-address.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { membersLeftOut, recipeFromRequest, recipeName } from './recipe-from-request.ts';
import styles from './save-recipe.module.css';

interface Props {
  /** Returns the request, with its recipe instead of the options that the recipe sets: these may depend on the film. */
  readonly read: () => ConversionRequest | Promise<ConversionRequest>;
  /** Where the request comes from, as a sentence for the description of the recipe. */
  readonly origin: string;
  /** A title that the user can take with Enter, or type over. Absent: the form is on a page that has other fields. */
  readonly proposed?: string;
  /** Whether the request has errors, which the recipe would have too. */
  readonly isDisabled?: boolean;
}

/** The most characters of a title. */
const MAX_TITLE = 80;

/**
 * Stores a request as a recipe of the client, and shows it, so that the user can choose its arguments. Needs no check of the request: a plan
 * may be late, or of an earlier request.
 */
export function SaveRecipe({ read, origin, proposed, isDisabled = false }: Props) {
  const [title, setTitle] = useState((proposed ?? '').slice(0, MAX_TITLE));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = recipeName(title);
  const save = useMutation({
    mutationFn: async (replaces: boolean) => {
      const version = replaces ? (await client.recipe(name)).version + 1 : 1;
      const request = await read();
      const recipe = request.preset === undefined ? undefined : await client.recipe(request.preset.name);
      await client.putRecipe(name, recipeFromRequest(request, { title, version, origin }, recipe));
      return request;
    },
    onSuccess: async (request) => {
      const [first] = request.inputs ?? [request.input];
      const file = (typeof first === 'string' ? first : first?.input) ?? '';
      const without = membersLeftOut(request).join(', ');
      void queries.invalidateQueries({ queryKey: ['recipes'] });
      await queries.invalidateQueries({ queryKey: ['recipe', name] });
      await navigate({
        to: '/recipes/$recipeName',
        params: { recipeName: name },
        search: { saved: true, ...(isStored(file) && { file }), ...(without !== '' && { without }) },
      });
    },
  });
  const isTaken = save.error instanceof ClientError && save.error.code === 'RECIPE_CONFLICT';
  return (
    <form
      className={styles.save}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(false);
      }}
    >
      <Field
        ref={proposed === undefined ? undefined : selectText}
        label="Save as a recipe"
        value={title}
        maxLength={MAX_TITLE}
        disabled={isDisabled}
        // What is stored has this title.
        readOnly={save.isPending}
        placeholder="Such as: For the shop"
        onChange={({ currentTarget }) => {
          setTitle(currentTarget.value);
          save.reset();
        }}
      />
      <Button type="submit" disabled={isDisabled || name === '' || save.isPending}>
        {save.isPending ? 'Saving…' : 'Save'}
      </Button>
      {save.error !== null && (
        <div className={styles.result}>
          <ProblemNotice error={save.error} />
          {isTaken && <Button onClick={() => save.mutate(true)}>Replace the earlier one</Button>}
        </div>
      )}
    </form>
  );
}

/** Focuses a field that a press has opened, so that what is typed replaces its text. */
const selectText = (field: HTMLInputElement | null): void => {
  field?.focus();
  field?.select();
};

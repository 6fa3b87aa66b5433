import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { isStored } from '../media/media-address.ts';
import { keepNewRecipe } from '../recipes/new-recipe.ts';
import { useSession } from '../session/use-session.ts';
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
 * Makes a recipe of a request, and shows it, so that the user can choose its arguments and try it before it is stored. Needs no check of the
 * request: a plan may be late, or of an earlier request.
 */
export function SaveRecipe({ read, origin, proposed, isDisabled = false }: Props) {
  const [title, setTitle] = useState((proposed ?? '').slice(0, MAX_TITLE));
  const clientId = useSession().data?.clientId ?? '';
  const navigate = useNavigate();
  const name = recipeName(title);
  const make = useMutation({
    mutationFn: async () => {
      const request = await read();
      const recipe = request.preset === undefined ? undefined : await client.recipe(request.preset.name);
      keepNewRecipe(clientId, name, recipeFromRequest(request, { title, version: 1, origin }, recipe));
      const [first] = request.inputs ?? [request.input];
      const file = (typeof first === 'string' ? first : first?.input) ?? '';
      const without = membersLeftOut(request).join(', ');
      await navigate({
        to: '/recipes/$recipeName',
        params: { recipeName: name },
        search: { new: true, ...(isStored(file) && { file }), ...(without !== '' && { without }) },
      });
    },
  });
  return (
    <form
      className={styles.save}
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Field
        ref={proposed === undefined ? undefined : selectText}
        label="Save as a recipe"
        value={title}
        maxLength={MAX_TITLE}
        disabled={isDisabled}
        // The recipe has this title.
        readOnly={make.isPending}
        placeholder="Such as: For the shop"
        onChange={({ currentTarget }) => {
          setTitle(currentTarget.value);
          make.reset();
        }}
      />
      <Button type="submit" disabled={isDisabled || name === '' || make.isPending}>
        Continue
      </Button>
      {make.error !== null && (
        <div className={styles.result}>
          <ProblemNotice error={make.error} />
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

import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { LinkButton } from '../ui/button.tsx';

const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => client.signInMethods({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The ways to sign in besides the fields. undefined: not read yet. */
export const useSignInMethods = () => useQuery(methodsQuery).data;

/**
 * A link to the sign-in page of the external issuer, if one is configured. After the sign-in, the issuer leads back to the current page.
 * `isAgain`: the person has signed in there already, and this service had no client for them.
 */
export function ExternalSignIn({ isAgain = false }: { readonly isAgain?: boolean }) {
  const external = useSignInMethods()?.external;
  if (external === undefined) return null;
  const { pathname, search } = window.location;
  return (
    <LinkButton
      variant="primary"
      href={`/api/session/external?${new URLSearchParams({ to: pathname + search })}`}
      title={external.issuer}
    >
      {isAgain ? 'Sign in again' : `Sign in with ${new URL(external.issuer).host}`}
    </LinkButton>
  );
}

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

/** The address of the sign-in by the issuer, which then leads back to the current page. `more`: further parameters. */
export function externalAddress(more: Readonly<Record<string, string>> = {}): string {
  const { pathname, search } = window.location;
  return `/api/session/external?${new URLSearchParams({ to: pathname + search, ...more })}`;
}

/** A link to the sign-in page of the external issuer, if one is configured. */
export function ExternalSignIn() {
  const external = useSignInMethods()?.external;
  if (external === undefined) return null;
  return (
    <LinkButton variant="primary" href={externalAddress()} title={external.issuer}>
      Sign in with {new URL(external.issuer).host}
    </LinkButton>
  );
}

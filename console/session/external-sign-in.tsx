import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { LinkButton } from '../ui/button.tsx';
import styles from './sign-in-page.module.css';

const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => client.signInMethods({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * A link to the sign-in page of the external issuer, if one is configured. After the sign-in, the issuer leads back to the current page.
 * `isNext`: whether it is the main action, and the fields come after it.
 */
export function ExternalSignIn({ isNext = false }: { readonly isNext?: boolean }) {
  const { data } = useQuery(methodsQuery);
  if (data?.external === undefined) return null;
  const { pathname, search } = window.location;
  return (
    <>
      {!isNext && <p className={styles.or}>or</p>}
      <LinkButton
        variant={isNext ? 'primary' : 'plain'}
        href={`/api/session/external?${new URLSearchParams({ to: pathname + search })}`}
      >
        Sign in with {new URL(data.external.issuer).host}
      </LinkButton>
    </>
  );
}

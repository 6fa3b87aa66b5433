import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { LinkButton } from '../ui/button.tsx';
import styles from './sign-in-page.module.css';

const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => client.signInMethods({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A link to the sign-in page of the external issuer, if one is configured. After the sign-in, the issuer leads back to the current page. */
export function ExternalSignIn() {
  const { data } = useQuery(methodsQuery);
  if (data?.external === undefined) return null;
  const { pathname, search } = window.location;
  return (
    <>
      <p className={styles.or}>or</p>
      <LinkButton href={`/api/session/external?${new URLSearchParams({ to: pathname + search })}`}>
        Sign in with {new URL(data.external.issuer).host}
      </LinkButton>
    </>
  );
}
